package io.headrace.format.tar;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.format.tar.archive.TarText;
import java.lang.foreign.MemorySegment;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Labels as members of archives spell them: a whole number, the name of a class, or a list.
final class LabelText {
  private static final int MAX_DIGITS = 18;
  private static final int MAX_SHOWN = 64;

  /// Longer ones are lists or captions.
  private static final int MAX_NAME = 1000;

  /// Numbers in a row, as JSON has them or with what else people put between them.
  private static final Pattern LIST =
      Pattern.compile("\\[.*]|[-+.\\deE]*\\d\\.?([,;\\s]+[-+.\\deE]*\\d\\.?)+", Pattern.DOTALL);

  private static final Pattern DECIMAL = Pattern.compile("[-+]?\\d*\\.\\d*([eE][-+]?\\d+)?");

  private LabelText() {}

  /// Sets the label that bytes of a sample's memory spell.
  ///
  /// @param stem of the sample, for messages
  /// @return false if it is a list, which is no label
  /// @throws DecodeException with [Fault#MISMATCH] if it cannot be a label
  static boolean set(Sample into, String stem, long from, long bytes) throws DecodeException {
    MemorySegment memory = into.block().memory();
    long start = from;
    long end = start + bytes;
    while (start < end && isSpace(memory.get(JAVA_BYTE, end - 1))) {
      end--;
    }
    while (start < end && isSpace(memory.get(JAVA_BYTE, start))) {
      start++;
    }
    boolean negative = start < end && memory.get(JAVA_BYTE, start) == '-';
    long at = negative ? start + 1 : start;
    long value = 0;
    boolean digits = at < end && end - at <= MAX_DIGITS;
    for (long i = at; i < end && digits; i++) {
      int digit = memory.get(JAVA_BYTE, i) - '0';
      digits = digit >= 0 && digit <= 9;
      value = 10 * value + digit;
    }
    if (digits) {
      into.label(negative ? -value : value);
      return true;
    }
    return setText(into, stem, start, end - start);
  }

  private static boolean isSpace(byte b) {
    return b >= 0 && b <= ' ';
  }

  private static boolean setText(Sample into, String stem, long start, long bytes)
      throws DecodeException {
    MemorySegment memory = into.block().memory();
    String text = TarText.of(memory, start, bytes);
    if (LIST.matcher(text).matches()) {
      return false;
    }
    boolean decimal = DECIMAL.matcher(text).matches() && text.chars().anyMatch(Character::isDigit);
    if (decimal
        && Double.parseDouble(text) == Math.rint(Double.parseDouble(text))
        && Math.abs(Double.parseDouble(text)) < 1L << 53) {
      into.label((long) Double.parseDouble(text));
      return true;
    }
    if (decimal
        || text.isEmpty()
        || bytes > MAX_NAME
        || !TarText.isUtf8(memory, start, bytes)
        || text.chars().anyMatch(Character::isISOControl)
        || text.chars().allMatch(Character::isDigit)) {
      throw new DecodeException(
          Fault.MISMATCH,
          "the label of '%s' is neither a whole number nor the name of a class: '%s'"
              .formatted(stem, text.substring(0, Math.min(text.length(), MAX_SHOWN))));
    }
    into.labelText(start, bytes);
    return true;
  }

  /// Sets the label that a member's JSON has at a path; none if it has nothing there.
  ///
  /// @param path names with dots between them
  /// @param free where the sample's memory is free
  /// @throws DecodeException with [Fault#MISMATCH] if it is no JSON, or the label cannot be one
  static void setJson(Sample into, String stem, long from, long bytes, String path, long free)
      throws DecodeException {
    JsonNode node;
    try {
      node =
          JsonMapper.shared()
              .readTree(into.block().memory().asSlice(from, bytes).toArray(JAVA_BYTE));
    } catch (JacksonException e) {
      throw new DecodeException(
          Fault.MISMATCH,
          "the member of '%s' that has the label is no JSON: %s"
              .formatted(stem, e.getOriginalMessage()));
    }
    for (String name : path.split("\\.", -1)) {
      node = node.path(name);
    }
    if (node.isMissingNode() || node.isNull()) {
      return;
    }
    byte[] text = (node.isValueNode() ? node.asString("") : node.toString()).getBytes(UTF_8);
    MemorySegment memory = into.block().ensureKeeping(free + text.length);
    MemorySegment.copy(text, 0, memory, JAVA_BYTE, free, text.length);
    if (node.isObject() || (!node.isArray() && text.length == 0)) {
      throw new DecodeException(
          Fault.MISMATCH, "the label of '%s' is %s".formatted(stem, node.getNodeType()));
    }
    boolean _ = node.isArray() || set(into, stem, free, text.length); // a list stays in its member
  }
}
