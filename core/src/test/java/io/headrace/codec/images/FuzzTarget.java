package io.headrace.codec.images;

import io.headrace.codec.BigEndian;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A decoder to be fuzzed.
///
/// @param name of the target
/// @param corpus sound inputs, which are then damaged
/// @param decoder makes the decoder, given the budget that it has to keep to
/// @param repair puts checksums and lengths right in every second input, so that damage gets past
///     them
record FuzzTarget(
    String name,
    List<byte[]> corpus,
    Function<MemoryBudget, Decoder> decoder,
    UnaryOperator<byte[]> repair) {
  /// Pixels of an image before it is refused.
  static final long MAX_PIXELS = 1 << 20;

  /// What is called with every input.
  interface Decoder extends AutoCloseable {
    /// Decodes one input, or refuses it.
    ///
    /// @param bytes off heap, valid for this call
    void decode(MemorySegment bytes) throws DecodeException;

    @Override
    void close();
  }

  /// {@return a target without repair}
  ///
  /// @param files names of test resources
  static FuzzTarget of(String name, Function<MemoryBudget, Decoder> decoder, String... files) {
    List<byte[]> corpus = Arrays.stream(files).map(Pictures::resource).toList();
    return new FuzzTarget(name, corpus, decoder, UnaryOperator.identity());
  }

  /// {@return a target for images that [ImageDecoder] reads}
  ///
  /// @param format of the corpus: all test resources of that folder
  static FuzzTarget image(String format, UnaryOperator<byte[]> repair) {
    return new FuzzTarget(format, resources(format), Image::new, repair);
  }

  static FuzzTarget image(String format) {
    return image(format, UnaryOperator.identity());
  }

  /// {@return the files that the folder's `expected.txt` names, except large ones}
  static List<byte[]> resources(String folder) {
    return Pictures.expected(folder).stream()
        .map(expected -> Pictures.resource(folder + "/" + expected.name()))
        .filter(bytes -> bytes.length <= 8192)
        .toList();
  }

  @Override
  public String toString() {
    return name;
  }

  static final class Image implements Decoder {
    private final ImageDecoder decoder;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment rgb = arena.allocate(6 * MAX_PIXELS);

    Image(MemoryBudget budget) {
      decoder = new ImageDecoder(budget, MAX_PIXELS);
    }

    @Override
    public void decode(MemorySegment bytes) throws DecodeException {
      ImageInfo info = decoder.probe(bytes);
      decoder.decodeRgb(bytes, info, rgb);
      if (info.bitDepth() > 8 && info.format() != ImageFormat.JPEG) {
        decoder.decodeRgb16(bytes, info, rgb);
      }
    }

    @Override
    public void close() {
      decoder.close();
      arena.close();
    }
  }

  /// {@return a PNG whose chunks have right CRCs}
  static byte[] pngChecksums(byte[] png) {
    var crc = new java.util.zip.CRC32();
    byte[] sound = png.clone();
    MemorySegment bytes = MemorySegment.ofArray(sound);
    for (long at = 8; at + 12 <= sound.length; ) {
      long length = Integer.toUnsignedLong(BigEndian.u32(bytes, at));
      if (at + 12 + length > sound.length) {
        break;
      }
      crc.reset();
      crc.update(sound, (int) at + 4, (int) length + 4);
      for (int i = 0; i < 4; i++) {
        sound[(int) (at + 8 + length) + i] = (byte) (crc.getValue() >> (24 - 8 * i));
      }
      at += 12 + length;
    }
    return sound;
  }

  /// {@return a RIFF file that says how long it is}
  static byte[] riffLength(byte[] riff) {
    byte[] sound = Arrays.copyOf(riff, Math.max(12, riff.length));
    for (int i = 0; i < 4; i++) {
      sound[4 + i] = (byte) ((sound.length - 8) >> (8 * i));
    }
    return sound;
  }
}
