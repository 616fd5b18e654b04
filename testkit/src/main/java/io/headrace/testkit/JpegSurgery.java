package io.headrace.testkit;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/// Takes parts out of JPEGs and puts others in, by their markers. Each method returns a copy.
public final class JpegSurgery {
  private JpegSurgery() {}

  /// {@return where the first marker of a kind stands}
  ///
  /// @param marker its second byte
  public static int find(byte[] jpeg, int marker) {
    for (int i = 0; i < jpeg.length - 1; i++) {
      if (jpeg[i] == (byte) 0xff && jpeg[i + 1] == (byte) marker) {
        return i;
      }
    }
    throw new AssertionError("no such marker");
  }

  /// {@return the JPEG without a kind of segment before its first scan}
  public static byte[] without(byte[] jpeg, int marker) {
    byte[] rest = jpeg;
    int at = segment(rest, marker);
    while (at > 0) {
      rest = cutOut(rest, at, 2 + u16(rest, at + 2));
      at = segment(rest, marker);
    }
    return rest;
  }

  /// {@return offset of a segment before the first scan, or of that; 0 if there is none}
  private static int segment(byte[] jpeg, int marker) {
    int at = 2;
    while (at + 4 <= jpeg.length) {
      int found = jpeg[at + 1] & 0xff;
      if (found == marker) {
        return at;
      }
      if (found == 0xda || found == 0xff) {
        return 0;
      }
      at += 2 + u16(jpeg, at + 2);
    }
    return 0;
  }

  private static int u16(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }

  /// {@return the JPEG with the first component's number for the last one, too}
  public static byte[] numberedAlike(byte[] jpeg) {
    byte[] copy = jpeg.clone();
    for (int marker = 0xc0; marker < 0xd0; marker++) {
      int at = marker == 0xc4 || marker == 0xcc ? 0 : segment(copy, marker);
      if (at > 0) {
        copy[at + 7 + 3 * (copy[at + 9] & 0xff)] = copy[at + 10];
      }
    }
    int scan = segment(copy, 0xda);
    if (scan > 0) {
      copy[scan + 3 + 2 * (copy[scan + 4] & 0xff)] = copy[scan + 5];
    }
    return copy;
  }

  /// {@return the JPEG with an Adobe segment}
  public static byte[] withTransform(byte[] jpeg, int transform) {
    byte[] segment =
        HexFormat.of().parseHex("ffee000e41646f62650064000000000%x".formatted(transform));
    var out = new ByteArrayOutputStream();
    out.write(jpeg, 0, 2);
    out.writeBytes(segment);
    out.write(jpeg, 2, jpeg.length - 2);
    return out.toByteArray();
  }

  /// {@return offsets of the restart markers}
  public static List<Integer> restarts(byte[] jpeg) {
    List<Integer> found = new ArrayList<>();
    for (int at = segment(jpeg, 0xda); at + 1 < jpeg.length; at++) {
      if (jpeg[at] == (byte) 0xff && (jpeg[at + 1] & 0xf8) == 0xd0) {
        found.add(at);
      }
    }
    return found;
  }

  /// {@return the bytes without `count` of them}
  public static byte[] cutOut(byte[] bytes, int at, int count) {
    var out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    out.write(bytes, at + count, bytes.length - at - count);
    return out.toByteArray();
  }

  /// {@return the bytes with `count` more of them, which are not markers}
  public static byte[] inserted(byte[] bytes, int at, Random random, int count) {
    var out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    for (int i = 0; i < count; i++) {
      out.write(random.nextInt(255));
    }
    out.write(bytes, at, bytes.length - at);
    return out.toByteArray();
  }

  /// {@return the bytes with `count` others in place of some}
  public static byte[] damaged(byte[] bytes, int at, Random random, int count) {
    byte[] copy = bytes.clone();
    for (int i = at; i < at + count && i < copy.length; i++) {
      copy[i] = (byte) random.nextInt(255);
    }
    return copy;
  }
}
