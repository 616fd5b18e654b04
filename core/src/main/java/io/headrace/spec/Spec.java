package io.headrace.spec;

import io.headrace.error.ConfigException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A spelling taken apart: `name`, or `name:PART,PART`, where a part is a value or `option=value`.
///
/// A parser takes the parts out one after another; [#end] refuses what is left. So no option is
/// silently ignored. Confined.
///
///     zstd:level=3,workers=2     name zstd, options level and workers
///     interleave:4:1024          name interleave, values 4 and 1024 (parts divided by colons)
///     tiled:32,drop              name tiled, values 32 and drop
///     jpeg:75:tables=data        name jpeg, value 75, option tables; a comma may be before it too
public final class Spec {
  private final String kind;
  private final String text;
  private final String name;
  private final List<String> values = new ArrayList<>();
  private final Map<String, String> options = new LinkedHashMap<>();

  private Spec(String kind, String text, char first, char divider) {
    this.kind = kind;
    this.text = text;
    String stripped = text.strip();
    int begin = stripped.indexOf(first);
    name = (begin < 0 ? stripped : stripped.substring(0, begin)).strip();
    if (begin < 0) {
      return;
    }
    for (String part : stripped.substring(begin + 1).split(String.valueOf(divider), -1)) {
      int equals = part.indexOf('=');
      int colon = part.lastIndexOf(':', equals); // of a value before the option
      String value = part.substring(equals + 1).strip();
      String option = part.substring(colon + 1, Math.max(colon + 1, equals)).strip();
      if (colon >= 0) {
        values.add(part.substring(0, colon).strip());
      }
      if (equals < 0) {
        values.add(value);
      } else if (options.put(option, value) != null) {
        throw bad("option '" + option + "' is given twice");
      }
    }
  }

  /// {@return a spelling of the form `name:PART,PART`, in lower case}
  ///
  /// @param kind what it spells, for messages: `compression`
  /// @throws ConfigException if an option is given twice
  public static Spec commas(String kind, String text) {
    return new Spec(kind, text.toLowerCase(Locale.ROOT), ':', ',');
  }

  /// {@return a spelling of the form `name:PART:PART`}
  ///
  /// @param kind what it spells, for messages: `order`
  /// @throws ConfigException if an option is given twice
  public static Spec colons(String kind, String text) {
    return new Spec(kind, text, ':', ':');
  }

  /// {@return a spelling of the form `name=PART:PART`}
  ///
  /// @param kind what it spells, for messages: `step`
  /// @throws ConfigException if an option is given twice
  public static Spec step(String kind, String text) {
    return new Spec(kind, text, '=', ':');
  }

  /// {@return the name, before all parts}
  public String name() {
    return name;
  }

  /// {@return whether nothing is left to be taken}
  public boolean isEmpty() {
    return values.isEmpty() && options.isEmpty();
  }

  /// {@return the next value, which is taken, or null if there is none}
  public @Nullable String next() {
    return values.isEmpty() ? null : values.removeFirst();
  }

  /// {@return whether the next value is that word, which is then taken}
  public boolean takes(String word) {
    return !values.isEmpty() && values.getFirst().equals(word) && values.removeFirst() != null;
  }

  /// {@return the next value, which is taken if it is a number; else `otherwise`}
  public int nextNumber(int otherwise) {
    boolean number = !values.isEmpty() && values.getFirst().matches("\\d{1,9}");
    return number ? Integer.parseInt(values.removeFirst()) : otherwise;
  }

  /// {@return the next value as a whole number}
  ///
  /// @param what it is, for messages
  /// @param otherwise if there is none
  /// @throws ConfigException if it is not one
  public int number(String what, int otherwise) {
    String value = next();
    return value == null ? otherwise : number(what, value);
  }

  /// {@return an option, which is taken, or null if it is not given}
  public @Nullable String option(String option) {
    return options.remove(option);
  }

  /// {@return an option as a whole number}
  ///
  /// @param otherwise if it is not given
  /// @throws ConfigException if it is not one
  public int optionNumber(String option, int otherwise) {
    String value = option(option);
    return value == null ? otherwise : number(option, value);
  }

  /// {@return an option as a number}
  ///
  /// @param otherwise if it is not given
  /// @throws ConfigException if it is not one
  public double optionDecimal(String option, double otherwise) {
    String value = option(option);
    return value == null ? otherwise : decimal(option, value);
  }

  /// {@return an option that is true or false}
  ///
  /// @param otherwise if it is not given
  /// @throws ConfigException if it is neither
  public boolean flag(String option, boolean otherwise) {
    String value = option(option);
    return switch (value) {
      case null -> otherwise;
      case "true", "1", "yes", "on" -> true;
      case "false", "0", "no", "off" -> false;
      default -> throw bad("%s '%s' is neither true nor false".formatted(option, value));
    };
  }

  /// {@return a word as a whole number}
  ///
  /// @param what it is, for messages
  /// @throws ConfigException if it is not one
  public int number(String what, String word) {
    try {
      return Integer.parseInt(word);
    } catch (NumberFormatException e) {
      throw bad("%s '%s' is not a whole number".formatted(what, word));
    }
  }

  /// {@return the one part there is, a quality}
  ///
  /// @throws ConfigException if there is none, another, or it is not a whole number
  public int quality() {
    String quality = next();
    if (quality == null) {
      throw bad("expected one quality after the colon");
    }
    return end(number("quality", quality));
  }

  /// {@return a word as a number}
  ///
  /// @param what it is, for messages
  /// @throws ConfigException if it is not one
  public double decimal(String what, String word) {
    try {
      return Double.parseDouble(word);
    } catch (NumberFormatException e) {
      throw bad("%s '%s' is not a number".formatted(what, word));
    }
  }

  /// {@return the parsed value, if nothing is left}
  ///
  /// @throws ConfigException naming what is left
  public <T> T end(T understood) {
    if (!values.isEmpty()) {
      throw bad("'%s' is not understood".formatted(values.getFirst()));
    }
    if (!options.isEmpty()) {
      throw bad("%s has no option '%s'".formatted(name, options.keySet().iterator().next()));
    }
    return understood;
  }

  /// {@return the same, made only if nothing is left}
  ///
  /// @throws ConfigException naming what is left
  public <T> T bare(Supplier<T> understood) {
    if (!isEmpty()) {
      throw bad(name + " takes no options");
    }
    return understood.get();
  }

  /// {@return what to throw: the kind, the text as it was given and what is wrong with it}
  public ConfigException bad(String what) {
    return new ConfigException("%s '%s': %s".formatted(kind, text, what));
  }

  /// {@return what to throw for a name that is not known}
  ///
  /// @param expected the names there are, as users type them
  public ConfigException unknown(String expected) {
    return new ConfigException("unknown %s '%s': expected %s".formatted(kind, text, expected));
  }

  /// {@return the name by which users choose a value of an enum}
  public static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// {@return the value of that name}
  ///
  /// @param kind what is chosen, for messages
  /// @throws ConfigException if there is none
  public static <E extends Enum<E>> E choice(String kind, E[] values, String word) {
    for (E value : values) {
      if (word(value).equals(word)) {
        return value;
      }
    }
    throw new ConfigException(
        "%s '%s': expected %s"
            .formatted(
                kind,
                word,
                Arrays.stream(values).map(Spec::word).collect(Collectors.joining(" or "))));
  }
}
