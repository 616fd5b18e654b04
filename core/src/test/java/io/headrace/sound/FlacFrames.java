package io.headrace.sound;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
    List<byte[]> parts = parts(flac);
    for (int frame = 0; frame < parts.size() - 1; frame++) {
      byte[] whole = parts.get(frame + 1);
      int header = headerBytes(whole, 0);
      byte[] start = Arrays.copyOf(whole, header);
      change.apply(frame, start);
      System.arraycopy(start, 0, whole, 0, header);
      whole[header] = (byte) crc(whole, header, 0x07, 8);
      int sum = crc(whole, whole.length - 2, 0x8005, 16);
      whole[whole.length - 2] = (byte) (sum >> 8);
      whole[whole.length - 1] = (byte) sum;
    }
    return join(parts);
  }

  /// {@return what comes before the frames of such a stream, then each frame}
  static List<byte[]> parts(byte[] flac) {
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
    List<byte[]> parts = new ArrayList<>(List.of(Arrays.copyOf(flac, at)));
    for (int frame = 0; at < flac.length; frame++) {
      int next = nextFrame(flac, at, frame);
      parts.add(Arrays.copyOfRange(flac, at, next));
      at = next;
    }
    return parts;
  }

  static byte[] join(List<byte[]> parts) {
    var out = new ByteArrayOutputStream();
    parts.forEach(out::writeBytes);
    return out.toByteArray();
  }

  private static int headerBytes(byte[] flac, int at) {
    int size = (flac[at + 2] >> 4) & 15;
    return 5 + (size == 6 ? 1 : size == 7 ? 2 : 0);
  }

  /// {@return where the frame after the one at `at` starts: at a header with the next number}
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

  /// {@return a mono stream of one frame that stores samples as they are}
  ///
  /// @param samples at most 256, in the upper bits
  static byte[] verbatim(int[] samples, int bits) {
    byte[] flac = new byte[42 + 8 + (samples.length * bits + 7) / 8 + 2];
    ByteBuffer head = ByteBuffer.wrap(flac);
    head.put("fLaC".getBytes(UTF_8)).putInt(0x80000022).putShort((short) 256).putShort((short) 256);
    head.position(18).putLong(44_100L << 44 | (bits - 1L) << 36 | samples.length);
    head.position(42).putInt(0xfff86900).put((byte) 0).put((byte) (samples.length - 1));
    flac[48] = (byte) crc(Arrays.copyOfRange(flac, 42, 48), 6, 0x07, 8);
    flac[49] = 2; // one subframe, verbatim
    for (int i = 0; i < samples.length * bits; i++) {
      int bit = samples[i / bits] >>> (31 - i % bits) & 1;
      flac[50 + i / 8] |= (byte) (bit << (7 - i % 8));
    }
    byte[] frame = Arrays.copyOfRange(flac, 42, flac.length);
    head.putShort(flac.length - 2, (short) crc(frame, frame.length - 2, 0x8005, 16));
    return flac;
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
