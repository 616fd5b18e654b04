package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.ImageLimits;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
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
  private final JpegCoefficients written;
  private final JpegWriter writer;
  private final ScanProof proof;
  private final JpegHeader header = new JpegHeader();

  /// A transcoder with an unbounded budget that takes [ImageLimits#MAX_PIXELS].
  public JpegTranscoder() {
    this(MemoryBudget.unbounded(), ImageLimits.MAX_PIXELS);
  }

  /// @param budget for coefficients, as [JpegCoefficients] takes them, for the symbols of a scan,
  ///     and for 56 bytes a block of a progressive form
  /// @param maxPixels columns times rows that a picture may have
  public JpegTranscoder(MemoryBudget budget, long maxPixels) {
    picture = new JpegCoefficients(budget, maxPixels);
    written = new JpegCoefficients(budget, Long.MAX_VALUE >> 8);
    writer = new JpegWriter(budget);
    proof = new ScanProof(picture, budget);
  }

  /// Rewrites one JPEG, and reads the result again to see that it holds the same picture.
  ///
  /// @param jpeg one whole JPEG stream, not in `out`
  /// @param target what to make
  /// @param out takes the new stream at its start
  /// @return its size, where its parts lie, and what was dropped
  /// @throws DecodeException as [JpegCoefficients#read], [JpegWriter#write] and [#prove] do
  public Transcoded transcode(MemorySegment jpeg, JpegTarget target, Block out)
      throws DecodeException {
    picture.read(jpeg);
    Transcoded made = write(target, out);
    MemorySegment result = out.memory().asSlice(0, made.bytes());
    prove(result);
    return made;
  }

  /// Writes the picture that was read last, and leaves it to the caller to [#prove] what becomes of
  /// the result.
  public Transcoded write(JpegTarget target, Block out) throws DecodeException {
    return writer.write(picture, target, out);
  }

  /// Makes sure that a JPEG holds the picture that was read last: sizes, sampling, quantisation and
  /// all coefficients. It may have more columns.
  ///
  /// @param jpeg a rewritten form
  /// @throws DecodeException with [io.headrace.error.Fault#UNSUPPORTED] if it does not,
  ///     [io.headrace.error.Fault#LIMIT] if the budget does not allow a second picture
  public void prove(MemorySegment jpeg) throws DecodeException {
    if (picture.isIn(jpeg) || scansProve(jpeg)) {
      return;
    }
    try {
      written.read(jpeg);
    } catch (DecodeException e) {
      throw Markers.unsupported("cannot be read once it is rewritten", e);
    }
    if (!picture.isIn(written)) {
      throw Markers.unsupported("is not the same once it is rewritten");
    }
  }

  private boolean scansProve(MemorySegment jpeg) throws DecodeException {
    header.read(jpeg);
    if (!header.progressive()) {
      return false;
    }
    proof.begin();
    return written.holds(jpeg, picture, proof);
  }

  /// {@return the coefficients of the last JPEG}
  public JpegCoefficients picture() {
    return picture;
  }

  @Override
  public void close() {
    proof.close();
    writer.close();
    written.close();
    picture.close();
  }
}
