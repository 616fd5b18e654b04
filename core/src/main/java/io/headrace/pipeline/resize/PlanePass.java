package io.headrace.pipeline.resize;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.memory.Planes;
import java.lang.foreign.MemorySegment;

/// Turns planes of a JPEG in memory into a sample, in one pass: cut out, resize, mirror, make
/// colours, normalise, cast.
///
/// This is what a sample processor does after the decoder when it works by planes; it stands alone
/// for callers that have planes, and to be measured. Rows are filtered with the Vector API where
/// the JVM was started with `--add-modules jdk.incubator.vector`, to the same values. Confined to
/// one thread and reused: it allocates nothing but what larger pictures need.
public final class PlanePass {
  private final YuvResampler resampler;
  private final ColourSink sink;
  private final RowSink black;
  private final Stage stage = new Stage();
  private final int height;
  private final int width;

  /// @param values of the sample
  /// @param height rows of a sample
  /// @param width columns of a sample
  public PlanePass(Values values, int height, int width) {
    boolean vectors = AcrossFilter.vectors();
    resampler =
        new YuvResampler(
            vectors ? AcrossFilter.vector() : new ScalarAcross(),
            vectors ? AcrossFilter.vector() : new ScalarAcross(),
            vectors ? DownFilter.vector() : new ScalarDown());
    sink = new ColourSink(values);
    black = new RowSink(values);
    this.height = height;
    this.width = width;
  }

  /// {@return whether rows are filtered with the Vector API}
  public static boolean vectors() {
    return AcrossFilter.vectors();
  }

  /// Makes a sample.
  ///
  /// @param planes of a whole picture at full size
  /// @param box what the sample shows of it, in samples of luminance
  /// @param mirrored whether it shows that from right to left
  /// @param slot height x width pixels in the type and layout of the pipeline
  /// @throws IllegalArgumentException if the box is not within the picture
  public void run(Planes planes, Region box, boolean mirrored, MemorySegment slot) {
    if (box.top() + box.height() > planes.height() || box.left() + box.width() > planes.width()) {
      throw new IllegalArgumentException(
          "%s of a picture of %d x %d".formatted(box, planes.height(), planes.width()));
    }
    stage.reset(planes.height(), planes.width());
    stage.boxTop = box.top();
    stage.boxLeft = box.left();
    stage.boxHeight = box.height();
    stage.boxWidth = box.width();
    stage.resizedHeight = height;
    stage.resizedWidth = width;
    stage.height = height;
    stage.width = width;
    stage.flipped = mirrored;
    resampler.run(stage, planes, JpegScale.FULL, slot, sink, black);
  }
}
