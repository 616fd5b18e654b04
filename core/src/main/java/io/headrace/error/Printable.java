package io.headrace.error;

/// Text from data as it can stand in a line for people: control characters, line separators,
/// marks that turn the direction of writing, and half characters are spelt out, such as `\n` and
/// `\u001b`. So a key cannot end a line, colour a terminal or hide what follows it.
public final class Printable {
  private Printable() {}

  /// {@return `text` with what would not print spelt out; the same object where nothing is}
  public static String of(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!prints(text, i)) {
        return spell(text, i);
      }
    }
    return text;
  }

  private static boolean prints(String text, int at) {
    char c = text.charAt(at);
    if (c < 0x7f) {
      return c >= ' ';
    }
    if (Character.isHighSurrogate(c)) {
      return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
      default -> (c < '\u202a' || c > '\u202e') && (c < '\u2066' || c > '\u2069');
    };
  }

  private static String spell(String text, int first) {
    var spelt = new StringBuilder(text.length() + 8).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      if (prints(text, i)) {
        spelt.append(c);
      } else {
        switch (c) {
          case '\n' -> spelt.append("\\n");
          case '\r' -> spelt.append("\\r");
          case '\t' -> spelt.append("\\t");
          default -> spelt.append("\\u%04x".formatted((int) c));
        }
      }
    }
    return spelt.toString();
  }
}
