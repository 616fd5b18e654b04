package io.headrace.codec.jpeg.packed;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.natives.WarmKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A small packed picture that is decoded in plain Java and by vectors until the JIT has compiled
/// these: parts of it, at all scales.
final class WarmPacked implements WarmKernel.Form {
  private static final int EDGE = 256;

  private final Block packed = new Block(MemoryBudget.unbounded());
  private final MemorySegment picture;
  private final PackedDecoder decoder;
  private final Planes planes = new Planes();
  private int turn;

  private WarmPacked(boolean vectors) throws DecodeException {
    decoder = new PackedDecoder(MemoryBudget.unbounded(), EDGE * EDGE, vectors);
    try (Arena arena = Arena.ofConfined();
        var encoder = new JpegEncoder();
        var jpeg = new Block(MemoryBudget.unbounded());
        var transcoder = new PackedTranscoder(MemoryBudget.unbounded(), EDGE * EDGE)) {
      MemorySegment rgb = arena.allocate(3L * EDGE * EDGE);
      int noise = 1;
      for (int i = 0; i < 3 * EDGE * EDGE; i++) {
        noise = noise * 1_103_515_245 + 12_345;
        int row = i / (3 * EDGE);
        double wave = Math.sin(0.01 * i) + Math.sin(0.03 * row);
        int grain = i / 3 % EDGE < EDGE / 2 ? noise >>> 27 : noise >>> 30;
        rgb.set(JAVA_BYTE, i, (byte) (128 + 48 * wave + grain));
      }
      long bytes = encoder.encode(rgb, EDGE, EDGE, 3, 92, Subsampling.S420, jpeg);
      MemorySegment encoded = jpeg.memory().asSlice(0, bytes);
      long size = transcoder.pack(encoded, 0, MetadataPolicy.KEEP_ALL, packed);
      picture = packed.memory().asSlice(0, size);
    }
  }

  /// {@return what decodes a part, another each time}
  static WarmKernel.Form form(boolean vectors) {
    try {
      return new WarmPacked(vectors);
    } catch (DecodeException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void run() {
    int each = turn++ % 8;
    JpegScale scale = each < 5 ? JpegScale.FULL : new JpegScale(each == 5 ? 4 : 8 - each);
    int edge = scale.scaled(EDGE);
    var part = new Region(edge / 8, edge / 8, 3 * edge / 4, 3 * edge / 4);
    try {
      if (!decoder.decodePlanes(picture, part, scale, planes)) {
        throw new IllegalStateException("a sound picture");
      }
    } catch (DecodeException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    decoder.close();
    packed.close();
  }
}
