package io.headrace.codec.images;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import io.headrace.format.tar.MemoryFile;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The tar reader as a decoder to be fuzzed: every input is an archive, streamed and by number.
final class FuzzedTars implements FuzzTarget.Decoder {
  private static final int BLOCK = 512;

  private final Sample sample;

  FuzzedTars(MemoryBudget budget) {
    sample = new Sample(new Block(budget));
  }

  static List<byte[]> corpus() {
    return List.of(
        Pictures.resource("tar/pax.tar"),
        Pictures.resource("tar/gnu.tar"),
        Pictures.resource("tar/links.tar"),
        Pictures.resource("tar/pax.tar.gz"));
  }

  @Override
  public void decode(MemorySegment bytes) throws DecodeException {
    CorruptDataException last = null;
    try (var data = MemoryFile.open(bytes)) {
      try (var cursor = data.openCursor(0)) {
        boolean more = true;
        while (more) {
          try {
            more = cursor.next(sample);
          } catch (CorruptDataException e) {
            last = e;
            more = cursor.resumable();
          }
        }
      }
      if (data.indexed()) {
        try (var reader = data.openReader()) {
          for (long i = 0; i < data.size(); i++) {
            try {
              reader.read(i, sample);
            } catch (CorruptDataException e) {
              last = e;
            }
          }
        }
      }
    } catch (CorruptDataException e) {
      last = e;
    } catch (IOException e) {
      throw new AssertionError("in memory", e);
    }
    if (last != null) {
      throw new DecodeException(last.fault(), last.reason());
    }
  }

  /// {@return an archive whose headers have right checksums, as far as its blocks look like some}
  static byte[] checksums(byte[] tar) {
    byte[] sound = tar.clone();
    for (int at = 0; at + BLOCK <= sound.length; at += BLOCK) {
      if (!new String(sound, at + 257, 5, ISO_8859_1).equals("ustar")) {
        continue;
      }
      int sum = 8 * ' ';
      for (int i = 0; i < BLOCK; i++) {
        sum += i >= 148 && i < 156 ? 0 : sound[at + i] & 0xff;
      }
      byte[] digits = "%06o\0 ".formatted(sum).getBytes(ISO_8859_1);
      System.arraycopy(digits, 0, sound, at + 148, digits.length);
    }
    return sound;
  }

  @Override
  public void close() {
    sample.close();
  }
}
