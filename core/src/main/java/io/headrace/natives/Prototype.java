package io.headrace.natives;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A C function as a header declares it: `int sf_close(void*)`. Its types are `void`, `int`,
/// `long`, `float`, `double` and pointers, all written `void*`.
///
/// @param name of the function
/// @param type of the function
record Prototype(String name, FunctionDescriptor type) {
  private static final Pattern FORM = Pattern.compile("(\\S+) (\\w+)\\((.*)\\)");

  /// {@return the function of such a text}
  static Prototype of(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("'%s' declares no function".formatted(text));
    }
    String list = form.group(3);
    MemoryLayout[] arguments =
        list.isEmpty()
            ? new MemoryLayout[0]
            : Stream.of(list.split(", ", -1)).map(Prototype::layout).toArray(MemoryLayout[]::new);
    String result = form.group(1);
    return new Prototype(
        form.group(2),
        result.equals("void")
            ? FunctionDescriptor.ofVoid(arguments)
            : FunctionDescriptor.of(layout(result), arguments));
  }

  private static MemoryLayout layout(String type) {
    return switch (type) {
      case "void*" -> ADDRESS;
      case "int" -> JAVA_INT;
      case "long" -> JAVA_LONG;
      case "float" -> JAVA_FLOAT;
      case "double" -> JAVA_DOUBLE;
      default -> throw new IllegalArgumentException("'%s' is no type".formatted(type));
    };
  }
}
