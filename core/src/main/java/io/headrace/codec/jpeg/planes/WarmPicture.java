package io.headrace.codec.jpeg.planes;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.entropy.ScanBits;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.natives.WarmKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A small picture that is decoded by both decoders until the JIT has compiled ours: parts of it,
/// at all scales.
final class WarmPicture implements WarmKernel.Form {
  private static final int EDGE = 192;

  /// Blocks of luminance that a part has, about.
  private static final int BLOCKS = 150;

  private final Block jpeg = new Block(MemoryBudget.unbounded());
  private final MemorySegment picture;
  private final boolean ours;
  private final JpegDecoder turbo = new JpegDecoder();
  private final BaselineDecoder own = new BaselineDecoder(MemoryBudget.unbounded());
  private final Planes planes = new Planes();
  private final Idct half = Idcts.fastest();
  private final int[] corner = new int[ScanBits.ROOM];
  private final int[] factors = new int[16];
  private int turn;

  private WarmPicture(boolean ours) throws DecodeException {
    this.ours = ours;
    try (Arena arena = Arena.ofConfined();
        var encoder = new JpegEncoder()) {
      MemorySegment rgb = arena.allocate(3L * EDGE * EDGE);
      int noise = 1;
      for (int i = 0; i < 3 * EDGE * EDGE; i++) {
        noise = noise * 1_103_515_245 + 12_345;
        int row = i / (3 * EDGE);
        double wave = Math.sin(0.01 * i) + Math.sin(0.03 * row);
        int grain = i / 3 % EDGE < EDGE / 2 ? noise >>> 27 : noise >>> 30;
        rgb.set(JAVA_BYTE, i, (byte) (128 + 48 * wave + grain));
      }
      long bytes = encoder.encode(rgb, EDGE, EDGE, 3, 90, Subsampling.S420, jpeg);
      picture = jpeg.memory().asSlice(0, bytes);
    }
  }

  /// {@return what decodes a part, another each time}
  static WarmKernel.Form form(boolean ours) {
    try {
      return new WarmPicture(ours);
    } catch (DecodeException e) {
      throw new IllegalStateException(e);
    }
  }

  private JpegScale scale() {
    int each = turn++ % 8;
    return each < 5 ? JpegScale.FULL : each == 5 ? JpegScale.HALF : new JpegScale(8 - each);
  }

  @Override
  public void run() {
    JpegScale scale = scale();
    int edge = scale.scaled(EDGE);
    try {
      ImageInfo info = turbo.probe(picture);
      if (ours) {
        var part = new Region(edge / 4, edge / 4, edge / 2, edge / 2);
        own.decode(picture, turbo.header(), null, part, scale, planes);
        if (scale.eighths() == 4) {
          corners();
        }
      } else {
        turbo.decodePlanes(picture, info, scale, 3 * edge / 4, planes);
      }
    } catch (DecodeException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Transforms some blocks at a half by vectors, which the decoder does only once they are ready.
  private void corners() {
    for (int i = 0; i < BLOCKS; i++) {
      corner[1] = i; // they are cleared each time
      half.corner(corner, factors, false, 4, planes.memory(), 0, planes.stride(0));
    }
  }

  @Override
  public void close() {
    own.close();
    turbo.close();
    jpeg.close();
  }
}
