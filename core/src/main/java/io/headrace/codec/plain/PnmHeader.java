package io.headrace.codec.plain;

import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.FirstBytes;
import io.headrace.codec.ImageFormat;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// The header of a PBM, PGM, PPM or PAM file: a reusable holder, which goes on to read what is
/// written in digits. Source: the manual pages pbm(5), pgm(5), ppm(5) and pam(5) of Netpbm.
final class PnmHeader {
  private static final int MAX_CHANNELS = 4;

  int width;
  int height;
  int channels;

  /// The sample that means full light, 1 to 65,535.
  int maxval;

  /// Whether samples are black (1) and white (0), and whether they are written in digits.
  boolean bitmap;

  boolean digits;

  /// Offset of the first sample, in bytes.
  long pixels;

  private long at;

  /// @throws DecodeException with [Fault#MISMATCH] if it is none, [Fault#TRUNCATED] if it is cut,
  ///     [Fault#CORRUPT] if the numbers make no sense, [Fault#UNSUPPORTED] if it has more than 4
  ///     channels, or inks
  void read(MemorySegment pnm) throws DecodeException {
    if (ImageFormat.detect(pnm) != ImageFormat.PNM) {
      throw new DecodeException(Fault.MISMATCH, FirstBytes.describe(pnm, "a PBM, PGM, PPM or PAM"));
    }
    at = 2;
    pixels = 0;
    int kind = u8(pnm, 1) - '0';
    bitmap = kind == 1 || kind == 4;
    digits = kind <= 3;
    if (kind == 7) {
      arbitrary(pnm);
    } else {
      plain(pnm, kind == 3 || kind == 6 ? 3 : 1);
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
    maxval = bitmap ? 1 : number(pnm);
    if (!digits) {
      separator(pnm); // the one before the samples
    }
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
        skipBlanks(pnm);
        if (accept(pnm, "CMYK")) {
          throw new DecodeException(Fault.UNSUPPORTED, "pnm: a PAM of inks (CMYK)");
        }
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

  /// {@return where reading stands, in bytes}
  long at() {
    return at;
  }

  /// Goes back to the first sample, for [#sample].
  void rewind() {
    at = pixels;
  }

  /// {@return the next sample that is written in digits: a bit of a bitmap has one and needs no
  ///     space, others are followed by white space}
  int sample(MemorySegment pnm) throws DecodeException {
    if (!bitmap) {
      int value = number(pnm);
      separator(pnm);
      return value;
    }
    skipBlanks(pnm);
    int bit = next(pnm) - '0';
    if (bit != 0 && bit != 1) {
      at--;
      throw corrupt("neither 0 nor 1");
    }
    return bit;
  }

  /// Takes one white space or comment.
  private void separator(MemorySegment pnm) throws DecodeException {
    int c = next(pnm);
    if (c == '#') {
      skipLine(pnm);
    } else if (!blank(c)) {
      at--;
      throw corrupt("no white space after a number");
    }
  }

  private static boolean blank(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
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
      } else if (!blank(c)) {
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

  private DecodeException cut(MemorySegment pnm) {
    return new DecodeException(
        Fault.TRUNCATED,
        "pnm: the data ends in the %s, after %d bytes"
            .formatted(pixels == 0 ? "header" : "samples", pnm.byteSize()));
  }

  private DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "pnm: %s, at byte %d".formatted(what, at));
  }

  /// {@return bytes of one sample: 2, the higher first, where 8 bits cannot hold the largest}
  int sampleBytes() {
    return maxval > 255 ? 2 : 1;
  }

  /// {@return bytes of a whole file, at least: a sample in digits takes one, and white space but in
  ///     a bitmap}
  long leastBytes() {
    long samples = (long) width * height * channels;
    if (digits) {
      return pixels + (bitmap ? samples : 2 * samples);
    }
    return pixels + (bitmap ? rowBytes() * height : samples * sampleBytes());
  }

  /// {@return bytes of a row of a bitmap, which begins at a whole byte}
  long rowBytes() {
    return (width + 7L) / 8;
  }
}
