package io.headrace.load.deliver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.plain.RawCodec;
import io.headrace.error.DecodeException;
import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.SoundStep;
import io.headrace.pipeline.step.Step;
import io.headrace.pipeline.step.ValueStep;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The short way for samples that are stored as they are delivered: raw pixels of the output's
/// size, under steps that neither move nor change any. They are copied straight into their slots,
/// with the result that the pipeline would have. Confined to one thread.
public final class Verbatim {
  /// After so many samples of another size it is not tried any more.
  private static final int MAX_FAILURES = 64;

  private static final byte DT_UINT8 = 4;

  private final RawCodec raw = new RawCodec();
  private final ImageInfo expected;
  private int failures;

  private Verbatim(int height, int width) {
    expected = new ImageInfo(ImageFormat.RAW, width, height, 3, 8, null, false, 1);
  }

  /// {@return a copier, or null if the pipeline does something to every image}
  public static @Nullable Verbatim of(Pipeline pipeline) {
    if (pipeline.dtype() != DType.UINT8 || pipeline.layout() != Layout.HWC) {
      return null;
    }
    int height = pipeline.outputSpec().shape().get(0);
    int width = pipeline.outputSpec().shape().get(1);
    for (Step step : pipeline.steps().subList(pipeline.done(), pipeline.steps().size())) {
      if (!keeps(step, height, width)) {
        return null;
      }
    }
    return new Verbatim(height, width);
  }

  /// {@return whether a step leaves every image of that size as it is}
  private static boolean keeps(Step step, int height, int width) {
    return step instanceof PixelStep pixels
        ? pixels.keeps(height, width)
        : !(step instanceof ValueStep || step instanceof SoundStep);
  }

  /// Copies a sample's pixels, if it is stored so.
  ///
  /// @param slot uint8 [height, width, 3]; undefined where false is returned
  /// @return whether they were copied; else the pipeline processes the sample
  public boolean copy(MemorySegment encoded, MemorySegment slot) {
    if (failures == MAX_FAILURES
        || encoded.byteSize() < Short.BYTES
        || encoded.get(JAVA_BYTE, 0) != '\b'
        || encoded.get(JAVA_BYTE, 1) != DT_UINT8) {
      return false; // a serialised uint8 tensor begins with its type
    }
    try {
      raw.decode(encoded, expected, slot);
      return true;
    } catch (DecodeException e) {
      failures++;
      return false;
    }
  }
}
