package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// Rewrites JPEGs without loss: the coefficients stay, and with them every decoder's pixels. Only
/// a progressive JPEG that lacks scans may change a little, where the decoder smoothed it; see
/// [JpegCoefficients#complete].
///
/// One per worker; all memory is reused.
public final class JpegTranscoder implements AutoCloseable {
  private final JpegCoefficients picture;
  private final JpegWriter writer;

  /// A transcoder with an unbounded budget that takes [JpegDecoder#MAX_PIXELS].
  public JpegTranscoder() {
    this(MemoryBudget.unbounded(), JpegDecoder.MAX_PIXELS);
  }

  /// @param budget for coefficients, 2 bytes each, and for the symbols of a scan
  /// @param maxPixels columns times rows that a picture may have
  public JpegTranscoder(MemoryBudget budget, long maxPixels) {
    picture = new JpegCoefficients(budget, maxPixels);
    writer = new JpegWriter(budget);
  }

  /// Rewrites one JPEG.
  ///
  /// @param jpeg one whole JPEG stream, not in `out`
  /// @param target what to make
  /// @param out takes the new stream at its start
  /// @return its size, where its parts lie, and what was dropped
  /// @throws DecodeException as [JpegCoefficients#read] and [JpegWriter#write] do
  public Transcoded transcode(MemorySegment jpeg, JpegTarget target, Block out)
      throws DecodeException {
    picture.read(jpeg);
    return writer.write(picture, target, out);
  }

  /// {@return the coefficients of the last JPEG}
  public JpegCoefficients picture() {
    return picture;
  }

  @Override
  public void close() {
    writer.close();
    picture.close();
  }
}
