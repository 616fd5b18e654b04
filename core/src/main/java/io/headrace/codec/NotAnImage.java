package io.headrace.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// Names what bytes are that are not what was asked for. Called only on the way to an exception.
final class NotAnImage {
  /// First bytes, one a character, and what they begin. `.` stands for any byte.
  private static final String[][] KNOWN = {
    {"\u001f\u008b", "gzip data"},
    {"GIF8", "a GIF image"},
    {"II*\0", "a TIFF image"},
    {"MM\0*", "a TIFF image"},
    {"PK\u0003\u0004", "a zip archive"},
    {"....ftyphei", "a HEIF image"},
    {"(\u00b5/\u00fd", "zstd data"},
    {"%PDF", "a PDF document"},
    {"<svg", "an SVG drawing"},
    {"<?xml", "XML text"},
    {"<!DOCTYPE", "an HTML page"},
    {"<html", "an HTML page"},
  };

  private NotAnImage() {}

  /// {@return such as `gzip data, not a JPEG`}
  static String describe(MemorySegment bytes, String wanted) {
    if (bytes.byteSize() == 0) {
      return "no bytes at all, not " + wanted;
    }
    ImageFormat format = ImageFormat.detect(bytes);
    if (format != null) {
      return name(format) + ", not " + wanted;
    }
    for (String[] known : KNOWN) {
      if (starts(bytes, known[0])) {
        return known[1] + ", not " + wanted;
      }
    }
    var text = new StringBuilder("not ").append(wanted).append(": starts with");
    for (long i = 0; i < Math.min(4, bytes.byteSize()); i++) {
      text.append(" %02x".formatted(bytes.get(JAVA_BYTE, i) & 0xff));
    }
    return text.toString();
  }

  private static String name(ImageFormat format) {
    return switch (format) {
      case WEBP -> "a WebP image";
      case AVIF -> "an AVIF image";
      case RAW -> "a raw tensor";
      case LOSSLESS -> "an image in Headrace's lossless encoding";
      case JPEG, PNG, QOI, BMP, PNM -> "a " + format.label().toUpperCase(Locale.ROOT) + " image";
    };
  }

  private static boolean starts(MemorySegment bytes, String magic) {
    if (bytes.byteSize() < magic.length()) {
      return false;
    }
    for (int i = 0; i < magic.length(); i++) {
      char c = magic.charAt(i);
      if (c != '.' && (bytes.get(JAVA_BYTE, i) & 0xff) != c) {
        return false;
      }
    }
    return true;
  }
}
