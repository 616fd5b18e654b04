package io.headrace.lab.codecs;

import io.headrace.error.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An encoding at one setting.
///
/// @param <E> kind of encodings
/// @param name as users type it
/// @param family such as `jpeg`: the name without its options
/// @param encoding what to encode to, or null for the files as they were found
record Setting<E>(String name, String family, @Nullable E encoding) {
  /// Name and family of the files as they were found.
  static final String ORIGINAL = "original";

  /// Bytes of these files, as what ratios are of.
  static final String AS_FOUND = "the files as found";

  static <E> Setting<E> of(String spec, Function<String, E> parser) {
    String name = spec.toLowerCase(Locale.ROOT);
    return new Setting<>(name, name.replaceFirst(":.*", ""), parser.apply(name));
  }

  /// {@return the settings that words ask for}
  ///
  /// @param specs spellings of all there are, if nothing is asked for
  /// @param words families or spellings of these, or spellings that `parser` takes; the files as
  ///     found always come first
  /// @throws ConfigException if a word is neither
  static <E> List<Setting<E>> pick(
      List<String> specs, List<String> words, Function<String, E> parser) {
    List<Setting<E>> usual =
        specs.stream()
            .map(s -> s.equals(ORIGINAL) ? new Setting<E>(s, s, null) : of(s, parser))
            .toList();
    if (words.isEmpty()) {
      return usual;
    }
    Set<Setting<E>> picked = new LinkedHashSet<>();
    usual.stream().filter(setting -> setting.encoding() == null).forEach(picked::add);
    for (String given : whole(words)) {
      String word = given.toLowerCase(Locale.ROOT);
      List<Setting<E>> family =
          usual.stream().filter(s -> s.family().equals(word) || s.name().equals(word)).toList();
      if (family.isEmpty()) {
        picked.add(parsed(word, usual, parser));
      }
      picked.addAll(family);
    }
    return List.copyOf(picked);
  }

  private static <E> Setting<E> parsed(
      String word, List<Setting<E>> usual, Function<String, E> parser) {
    try {
      return of(word, parser);
    } catch (ConfigException e) {
      String families =
          usual.stream().map(Setting::family).distinct().collect(Collectors.joining(", "));
      throw new ConfigException(e.getMessage() + " (encodings measured here: " + families + ")");
    }
  }

  /// {@return words; options of a spelling, which commas divide too, are joined to it again}
  private static List<String> whole(List<String> words) {
    List<String> all = new ArrayList<>();
    for (String word : words) {
      boolean option = word.contains("=") && !word.contains(":") && !all.isEmpty();
      if (option) {
        all.add(all.removeLast() + "," + word.strip());
      } else if (!word.isBlank()) {
        all.add(word.strip());
      }
    }
    return all;
  }
}
