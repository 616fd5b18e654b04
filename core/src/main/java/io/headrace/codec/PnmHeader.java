package io.headrace.codec;

import static io.headrace.codec.BigEndian.u8;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// The header of a PGM, PPM or PAM file: a reusable holder. Source: the manual pages pgm(5), ppm(5)
/// and pam(5) of Netpbm.
final class PnmHeader {
  private static final int MAX_CHANNELS = 4;

  int width;
  int height;
  int channels;

  /// The sample that means full light, 1 to 65,535.
  int maxval;

  /// Offset of the first sample, in bytes.
  long pixels;

  private long at;

  /// @throws DecodeException with [Fault#MISMATCH] if it is none, [Fault#TRUNCATED] if it is cut,
  ///     [Fault#CORRUPT] if the numbers make no sense, [Fault#UNSUPPORTED] if it is written in
  ///     digits or as a bitmap (P1 to P4), or has more than 4 channels
  void read(MemorySegment pnm) throws DecodeException {
    if (ImageFormat.detect(pnm) != ImageFormat.PNM) {
      throw new DecodeException(Fault.MISMATCH, NotAnImage.describe(pnm, "a PGM, PPM or PAM"));
    }
    at = 2;
    switch (u8(pnm, 1)) {
      case '5' -> plain(pnm, 1);
      case '6' -> plain(pnm, 3);
      case '7' -> arbitrary(pnm);
      default ->
          throw new DecodeException(
              Fault.UNSUPPORTED,
              "pnm: kind P%c; P5, P6 and P7 are read".formatted((char) u8(pnm, 1)));
    }
    pixels = at;
    if (width < 1 || height < 1 || maxval < 1 || maxval > 65_535 || channels < 1) {
      throw corrupt(
          "%d x %d pixels of %d channels up to %d".formatted(width, height, channels, maxval));
    }
    if (channels > MAX_CHANNELS) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "pnm: %d channels, expected 1 to 4".formatted(channels));
    }
  }

  private void plain(MemorySegment pnm, int depth) throws DecodeException {
    channels = depth;
    width = number(pnm);
    height = number(pnm);
    maxval = number(pnm);
    next(pnm); // the one white space before the samples
  }

  /// Lines of a name and a value, in any order, up to `ENDHDR`.
  private void arbitrary(MemorySegment pnm) throws DecodeException {
    width = 0;
    height = 0;
    channels = 0;
    maxval = 0;
    while (true) {
      skipBlanks(pnm);
      if (accept(pnm, "ENDHDR")) {
        skipLine(pnm);
        return;
      }
      if (accept(pnm, "WIDTH")) {
        width = number(pnm);
      } else if (accept(pnm, "HEIGHT")) {
        height = number(pnm);
      } else if (accept(pnm, "DEPTH")) {
        channels = number(pnm);
      } else if (accept(pnm, "MAXVAL")) {
        maxval = number(pnm);
      } else if (accept(pnm, "TUPLTYPE")) {
        skipLine(pnm);
      } else {
        throw corrupt("unknown header line");
      }
    }
  }

  private boolean accept(MemorySegment pnm, String name) throws DecodeException {
    for (int i = 0; i < name.length(); i++) {
      if (at + i >= pnm.byteSize()) {
        throw cut(pnm);
      }
      if (u8(pnm, at + i) != name.charAt(i)) {
        return false;
      }
    }
    at += name.length();
    return true;
  }

  private int number(MemorySegment pnm) throws DecodeException {
    skipBlanks(pnm);
    long start = at;
    long value = 0;
    while (digit(next(pnm))) {
      value = 10 * value + u8(pnm, at - 1) - '0';
      if (value > Integer.MAX_VALUE) {
        throw corrupt("number over 2147483647");
      }
    }
    at--;
    if (at == start) {
      throw corrupt("no number");
    }
    return (int) value;
  }

  private static boolean digit(int c) {
    return c >= '0' && c <= '9';
  }

  /// Skips white space, and comments from `#` to the end of the line.
  private void skipBlanks(MemorySegment pnm) throws DecodeException {
    while (true) {
      int c = next(pnm);
      if (c == '#') {
        skipLine(pnm);
      } else if (c != ' ' && (c < '\t' || c > '\r')) {
        at--;
        return;
      }
    }
  }

  private void skipLine(MemorySegment pnm) throws DecodeException {
    while (next(pnm) != '\n') {
      // to the end of the line
    }
  }

  private int next(MemorySegment pnm) throws DecodeException {
    if (at >= pnm.byteSize()) {
      throw cut(pnm);
    }
    return u8(pnm, at++);
  }

  private static DecodeException cut(MemorySegment pnm) {
    return new DecodeException(
        Fault.TRUNCATED,
        "pnm: the data ends in the header, after %d bytes".formatted(pnm.byteSize()));
  }

  private DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "pnm: %s, at byte %d".formatted(what, at));
  }

  /// {@return bytes of one sample: 2, the higher first, where 8 bits cannot hold the largest}
  int sampleBytes() {
    return maxval > 255 ? 2 : 1;
  }

  /// {@return bytes of a whole file}
  long leastBytes() {
    return pixels + (long) width * height * channels * sampleBytes();
  }
}
