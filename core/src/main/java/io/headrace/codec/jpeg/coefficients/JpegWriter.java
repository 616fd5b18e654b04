package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.Markers;
import io.headrace.codec.jpeg.StandardTables;
import io.headrace.codec.jpeg.entropy.HuffmanCode;
import io.headrace.codec.jpeg.entropy.JpegOutput;
import io.headrace.codec.jpeg.entropy.ScanHeader;
import io.headrace.codec.jpeg.entropy.Tokens;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.util.Arrays;

/// Writes a picture of coefficients as a JPEG stream, sequential or progressive (ITU-T T.81, annex
/// B).
///
/// One per worker: keeps its tables and, in a block, the symbols of one scan. Each
/// picture leaves only its [Transcoded] on the heap.
public final class JpegWriter implements AutoCloseable {
  /// Table slots as libjpeg writes them: DC before AC, luma before chroma. So a file of cjpeg's
  /// comes back byte for byte.
  private static final int[] ORDER = {0, 2, 1, 3};

  private final Tokens tokens;
  private final Magnitudes magnitudes;
  private final ScanTokens maker;
  private final HuffmanCode[] codes = new HuffmanCode[Tokens.SLOTS];
  private final HuffmanCode[] standard = new HuffmanCode[Tokens.SLOTS];

  /// By component: its quantisation table in the file written.
  private final int[] quantisers = new int[4];

  /// By component: 0 or 1, its Huffman tables.
  private final int[] slots = new int[4];

  /// A writer with an unbounded budget.
  public JpegWriter() {
    this(MemoryBudget.unbounded());
  }

  /// @param budget for the symbols of a scan, 4 bytes each: at most about twice the bytes of the
  ///     picture's coefficients; and for 48 bytes a block of a progressive picture
  public JpegWriter(MemoryBudget budget) {
    tokens = new Tokens(budget);
    magnitudes = new Magnitudes(budget);
    maker = new ScanTokens(tokens, magnitudes);
    Arrays.setAll(codes, _ -> new HuffmanCode());
    Arrays.setAll(
        standard,
        slot -> {
          var code = new HuffmanCode();
          code.standard(StandardTables.table(slot >> 1, slot & 1));
          return code;
        });
  }

  /// Writes one picture.
  ///
  /// @param picture that has been read, with the stream it was read from still in place
  /// @param target what to make
  /// @param out takes the stream at its start
  /// @return its size, and where its parts lie
  /// @throws DecodeException with [Fault#LIMIT] if a memory budget does not allow it,
  ///     [Fault#UNSUPPORTED] if coefficients are too large for the standard Huffman tables, or if
  ///     components have the same number
  /// @throws IllegalStateException if `picture` is empty, or its last reading failed
  public Transcoded write(JpegCoefficients picture, JpegTarget target, Block out)
      throws DecodeException {
    picture.requireWhole();
    return switch (target) {
      case JpegTarget.Baseline(boolean optimised, MetadataPolicy metadata) ->
          baseline(picture, optimised, metadata, new JpegOutput(out));
      case JpegTarget.Progressive(MetadataPolicy metadata) ->
          progressive(picture, metadata, new JpegOutput(out));
    };
  }

  /// @throws DecodeException with [Fault#UNSUPPORTED] if several scans would have to tell apart
  ///     components of the same number
  private static void requireNumbers(JpegCoefficients picture, int scans) throws DecodeException {
    for (int c = 1; scans > 1 && c < picture.components(); c++) {
      for (int i = 0; i < c; i++) {
        if (picture.component(i).id() == picture.component(c).id()) {
          throw Markers.unsupported(
              "components %d and %d are both numbered %d: no scan of one can tell them apart"
                  .formatted(i, c, picture.component(c).id()));
        }
      }
    }
  }

  private Transcoded baseline(
      JpegCoefficients picture, boolean optimised, MetadataPolicy metadata, JpegOutput out)
      throws DecodeException {
    out.marker(Markers.SOI);
    Dropped dropped = Metadata.write(picture, metadata, out);
    boolean wide = quantisation(picture, out);
    frame(picture, wide ? Markers.SOF1 : Markers.SOF0, out);
    ScanSpec[] scans = ScanSpec.sequential(picture.components(), joined(picture));
    requireNumbers(picture, scans.length);
    for (ScanSpec scan : scans) {
      maker.make(picture, scan, slots, false);
      scan(picture, scan, optimised ? codes : standard, optimised, false, out);
    }
    out.marker(Markers.EOI);
    return new Transcoded(out.size(), scans.length, dropped);
  }

  private Transcoded progressive(JpegCoefficients picture, MetadataPolicy metadata, JpegOutput out)
      throws DecodeException {
    out.marker(Markers.SOI);
    Dropped dropped = Metadata.write(picture, metadata, out);
    quantisation(picture, out);
    frame(picture, Markers.SOF2, out);
    magnitudes.of(picture);
    ScanSpec[] scans =
        ScanSpec.progressive(picture.components(), joined(picture), Metadata.colour(picture));
    requireNumbers(picture, scans.length);
    for (ScanSpec scan : scans) {
      maker.make(picture, scan, slots, true);
      scan(picture, scan, codes, true, true, out);
    }
    out.marker(Markers.EOI);
    return new Transcoded(out.size(), scans.length, dropped);
  }

  private static boolean joined(JpegCoefficients picture) {
    int blocks = 0;
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      blocks += component.horizontalFactor() * component.verticalFactor();
    }
    return picture.components() == 1 || blocks <= ScanHeader.MAX_BLOCKS;
  }

  /// Writes each quantisation table once, under its own number where that is free. A file of
  /// several scans may have redefined a number: then its components differ in tables.
  ///
  /// @return whether one needs 16 bits
  private boolean quantisation(JpegCoefficients picture, JpegOutput out) throws DecodeException {
    int taken = 0;
    boolean wide = false;
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      int same = firstWith(picture, c);
      if (same < c) {
        quantisers[c] = quantisers[same];
        continue;
      }
      int slot = component.quantisationSlot();
      if ((taken >> slot & 1) != 0) {
        slot = Integer.numberOfTrailingZeros(~taken);
      }
      taken |= 1 << slot;
      quantisers[c] = slot;
      wide |= table(component, slot, out);
    }
    return wide;
  }

  /// {@return the first component with the same table, by content and number}
  private static int firstWith(JpegCoefficients picture, int c) {
    for (int i = 0; i < c; i++) {
      if (picture.component(i).quantisationSlot() == picture.component(c).quantisationSlot()
          && picture.component(i).sameQuantisation(picture.component(c))) {
        return i;
      }
    }
    return c;
  }

  private static boolean table(JpegComponent component, int slot, JpegOutput out)
      throws DecodeException {
    boolean wide = false;
    for (int k = 0; k < Blocks.SIZE; k++) {
      wide |= component.quantisation(k) > 255;
    }
    out.segment(Markers.DQT, 1 + (wide ? 2 : 1) * Blocks.SIZE);
    out.u8((wide ? 0x10 : 0) | slot);
    for (int k = 0; k < Blocks.SIZE; k++) {
      if (wide) {
        out.u16(component.quantisation(k));
      } else {
        out.u8(component.quantisation(k));
      }
    }
    return wide;
  }

  private void frame(JpegCoefficients picture, int marker, JpegOutput out) throws DecodeException {
    int components = picture.components();
    out.segment(marker, 6 + 3L * components);
    out.u8(8);
    out.u16(picture.height());
    out.u16(picture.width());
    out.u8(components);
    boolean colour = Metadata.colour(picture);
    boolean inks = components == 4 && picture.header().adobeTransform() == 2;
    for (int c = 0; c < components; c++) {
      JpegComponent component = picture.component(c);
      out.u8(component.id());
      out.u8((component.horizontalFactor() << 4) | component.verticalFactor());
      out.u8(quantisers[c]);
      slots[c] = (colour || inks) && (c == 1 || c == 2) ? 1 : 0; // chroma
    }
  }

  private void scan(
      JpegCoefficients picture,
      ScanSpec scan,
      HuffmanCode[] with,
      boolean make,
      boolean progressive,
      JpegOutput out)
      throws DecodeException {
    boolean dc = scan.first() == 0 && scan.high() == 0;
    boolean ac = !progressive || scan.first() > 0;
    int used = 0;
    for (int c = scan.component(); c < scan.component() + scan.count(); c++) {
      used |= (dc ? 1 << slots[c] : 0) | (ac ? 4 << slots[c] : 0);
    }
    for (int slot : ORDER) {
      if ((used >> slot & 1) != 0) {
        if (make) {
          with[slot].optimal(tokens, slot);
        }
        with[slot].write(out, slot);
      }
    }
    out.segment(Markers.SOS, 4 + 2L * scan.count());
    out.u8(scan.count());
    for (int c = scan.component(); c < scan.component() + scan.count(); c++) {
      out.u8(picture.component(c).id());
      out.u8((dc ? slots[c] << 4 : 0) | (ac ? slots[c] : 0));
    }
    out.u8(scan.first());
    out.u8(scan.last());
    out.u8((scan.high() << 4) | scan.low());
    out.coded(tokens, with);
  }

  @Override
  public void close() {
    magnitudes.close();
    tokens.close();
  }
}
