package io.headrace.sound;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/// Rewrites the headers of FLAC frames, checksums and all.
final class FlacFrames {
  private FlacFrames() {}

  /// Changes a header in place.
  interface Change {
    /// Changes one.
    ///
    /// @param frame number of the frame, from 0
    /// @param header of six or more bytes, the checksum not among them
    void apply(int frame, byte[] header);
  }

  /// {@return a stream of fixed blocks and one-byte frame numbers, rewritten}
  static byte[] rewrite(byte[] flac, Change change) {
    int at = 4;
    boolean last = false;
    while (!last) {
      last = flac[at] < 0;
      at +=
          4
              + (((flac[at + 1] & 0xff) << 16)
                  | ((flac[at + 2] & 0xff) << 8)
                  | (flac[at + 3] & 0xff));
    }
    var out = new ByteArrayOutputStream();
    out.write(flac, 0, at);
    for (int frame = 0; at < flac.length; frame++) {
      int next = nextFrame(flac, at, frame);
      int header = headerBytes(flac, at);
      byte[] start = Arrays.copyOfRange(flac, at, at + header);
      change.apply(frame, start);
      byte[] whole = Arrays.copyOfRange(flac, at, next);
      System.arraycopy(start, 0, whole, 0, header);
      whole[header] = (byte) crc(whole, header, 0x07, 8);
      int sum = crc(whole, whole.length - 2, 0x8005, 16);
      whole[whole.length - 2] = (byte) (sum >> 8);
      whole[whole.length - 1] = (byte) sum;
      out.writeBytes(whole);
      at = next;
    }
    return out.toByteArray();
  }

  private static int headerBytes(byte[] flac, int at) {
    int size = (flac[at + 2] >> 4) & 15;
    return 5 + (size == 6 ? 1 : size == 7 ? 2 : 0);
  }

  /// {@return where the frame behind the one at `at` starts: at a header with the next number}
  private static int nextFrame(byte[] flac, int at, int frame) {
    for (int i = at + 6; i < flac.length - 6; i++) {
      if (flac[i] == -1 && (flac[i + 1] & 0xfe) == 0xf8 && flac[i + 4] == frame + 1) {
        int header = headerBytes(flac, i);
        if ((byte) crc(Arrays.copyOfRange(flac, i, i + header), header, 0x07, 8)
            == flac[i + header]) {
          return i;
        }
      }
    }
    return flac.length;
  }

  private static int crc(byte[] bytes, int count, int polynomial, int width) {
    int crc = 0;
    for (int i = 0; i < count; i++) {
      crc ^= (bytes[i] & 0xff) << (width - 8);
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc << 1) ^ (((crc >> (width - 1)) & 1) != 0 ? polynomial : 0);
      }
      crc &= (1 << width) - 1;
    }
    return crc;
  }
}
