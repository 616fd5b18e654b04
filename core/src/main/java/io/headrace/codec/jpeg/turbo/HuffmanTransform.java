package io.headrace.codec.jpeg.turbo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.Markers;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Writes JPEGs of arithmetic coding anew with Huffman codes, through libjpeg-turbo: the same
/// coefficients, and all segments. Each is proved by its pixels. One per worker.
public final class HuffmanTransform implements AutoCloseable {
  /// Bytes of a `tjtransform`: all zeros mean that nothing is done but the coding.
  private static final int TRANSFORM_BYTES = 40;

  /// Pixels that the MCUs of any sampling fill up.
  private static final int MCU = 32;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment handle;
  private final MemorySegment transform = arena.allocate(TRANSFORM_BYTES, Long.BYTES);
  private final MemorySegment buffer = arena.allocate(ADDRESS);
  private final MemorySegment size = arena.allocate(JAVA_LONG);
  private final JpegDecoder decoder;
  private final Block before;
  private final Block after;

  /// @param budget for two pictures in colours
  /// @param maxPixels columns times rows that a picture may have
  /// @throws ConfigException if libturbojpeg is missing
  public HuffmanTransform(MemoryBudget budget, long maxPixels) {
    handle = TurboJpeg.initTransform(arena);
    decoder = new JpegDecoder(budget, maxPixels);
    before = new Block(budget);
    after = new Block(budget);
  }

  /// Rewrites a JPEG. Source: `tjTransform` in turbojpeg.h, 2.1.
  ///
  /// @param out takes the new one at its start
  /// @return its bytes
  /// @throws DecodeException with [io.headrace.error.Fault#UNSUPPORTED] if libjpeg-turbo does not
  ///     rewrite it; as [JpegDecoder] if it is damaged
  public long rewrite(MemorySegment jpeg, Block out) throws DecodeException {
    ImageInfo info = decoder.probe(jpeg);
    long most =
        TurboJpeg.bufSize(
            Math.ceilDiv(info.width(), MCU) * MCU,
            Math.ceilDiv(info.height(), MCU) * MCU,
            Subsampling.S444.tjsamp());
    MemorySegment to = out.ensure(most);
    buffer.set(ADDRESS, 0, to);
    size.set(JAVA_LONG, 0, most);
    if (TurboJpeg.transform(handle, jpeg, buffer, size, transform) != 0) {
      throw Markers.unsupported(
          "arithmetic coding that libjpeg-turbo does not rewrite: "
              + TurboJpeg.errorString(handle));
    }
    long bytes = size.get(JAVA_LONG, 0);
    MemorySegment pixels = before.ensure(info.rgbBytes());
    decoder.decode(jpeg, info, pixels);
    MemorySegment again = after.ensure(info.rgbBytes());
    MemorySegment rewritten = to.asSlice(0, bytes);
    try {
      decoder.decode(rewritten, decoder.probe(rewritten), again);
    } catch (DecodeException e) { // libjpeg-turbo wrote coefficients too large for Huffman codes
      throw Markers.unsupported("arithmetic coding that Huffman codes do not hold", e);
    }
    if (MemorySegment.mismatch(pixels, 0, info.rgbBytes(), again, 0, info.rgbBytes()) >= 0) {
      throw Markers.unsupported("arithmetic coding whose pixels change when it is rewritten");
    }
    return bytes;
  }

  @Override
  public void close() {
    decoder.close();
    before.close();
    after.close();
    arena.close();
  }
}
