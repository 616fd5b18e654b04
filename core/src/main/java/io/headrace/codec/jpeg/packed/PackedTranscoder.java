package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.BigEndian.u16;
import static io.headrace.codec.jpeg.packed.PackedLayout.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import io.headrace.codec.jpeg.coefficients.JpegTarget;
import io.headrace.codec.jpeg.coefficients.JpegTranscoder;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.coefficients.ScanCuts;
import io.headrace.codec.jpeg.coefficients.Transcoded;
import io.headrace.codec.jpeg.turbo.HuffmanTransform;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Packs JPEGs without loss, and proves it: each is rebuilt at once. One per worker.
///
/// A sequential JPEG of one scan comes back byte for byte, if its encoder filled the last byte of
/// coded data up with ones and left no gaps, as all known ones do. Others come back as such a JPEG
/// of the same coefficients.
public final class PackedTranscoder implements AutoCloseable {
  /// MCUs of a tile, at most, across and down.
  public static final int MAX_TILE = 64;

  private final JpegHeader header = new JpegHeader();
  private final ScanCuts cuts = new ScanCuts();
  private final JpegTranscoder transcoder;
  private final PackedWriter writer = new PackedWriter();
  private final PackedRebuilder rebuilder = new PackedRebuilder();
  private final CRC32C crc = new CRC32C();
  private final Block sequential;
  private final Block rebuilt;
  private final Block rewritten;
  private final MemoryBudget budget;
  private final long maxPixels;
  private @Nullable HuffmanTransform huffman;
  private boolean exact;
  private long trailingBytes;
  private boolean orientationDropped;

  /// @param budget for coefficients, as [JpegTranscoder] takes them, and for a JPEG
  /// @param maxPixels columns times rows that a picture may have
  public PackedTranscoder(MemoryBudget budget, long maxPixels) {
    transcoder = new JpegTranscoder(budget, maxPixels);
    sequential = new Block(budget);
    rebuilt = new Block(budget);
    rewritten = new Block(budget);
    this.budget = budget;
    this.maxPixels = maxPixels;
  }

  /// Packs a JPEG.
  ///
  /// @param jpeg one whole JPEG stream
  /// @param tile MCUs of a tile, across and down; 0 for the usual number
  /// @param metadata which segments stay; a JPEG that loses some does not come back byte for byte
  /// @param out takes the packed picture at its start
  /// @return its bytes
  /// @throws DecodeException with [io.headrace.error.Fault#UNSUPPORTED] if it cannot be packed, as
  ///     one of 12 bits; as [io.headrace.codec.jpeg.coefficients.JpegCoefficients#read] does
  /// @throws ConfigException if `tile` is no number of MCUs
  public long pack(MemorySegment jpeg, int tile, MetadataPolicy metadata, Block out)
      throws DecodeException {
    if (tile < 0 || tile > MAX_TILE) {
      throw new ConfigException(
          "tiles of %d MCUs: expected 1 to %d, across and down".formatted(tile, MAX_TILE));
    }
    exact = false;
    trailingBytes = 0;
    orientationDropped = false;
    header.read(jpeg);
    MemorySegment coded = header.arithmetic() && header.bitDepth() == 8 ? huffman(jpeg) : jpeg;
    MemorySegment plain = coded;
    boolean anew = header.progressive() || header.arithmetic() || !header.scansTogether();
    if (!anew) {
      cuts.find(coded);
      anew = cuts.scans() > 1;
    }
    if (anew || metadata != MetadataPolicy.KEEP_ALL) {
      Transcoded made =
          transcoder.transcode(coded, new JpegTarget.Baseline(true, metadata), sequential);
      if (!transcoder.picture().complete()) {
        throw Markers.unsupported(
            "lacks scans: decoders smooth its blocks, and would not if packed");
      }
      if (made.scans() > 1) {
        throw Markers.unsupported("more blocks in an MCU than one scan may have: cannot be packed");
      }
      plain = sequential.memory().asSlice(0, made.bytes());
      trailingBytes = made.dropped().trailingBytes();
      orientationDropped = made.dropped().orientation() != 1;
      header.read(plain);
      cuts.find(plain);
    }
    transcoder.picture().read(plain);
    long scan = header.firstScan() + 2;
    MemorySegment full = plain.asSlice(0, scan + u16(plain, scan));
    MemorySegment head = PackedRebuilder.slim(full);
    MemorySegment tail = plain.asSlice(cuts.scanEnd(1));
    Grid grid = Grid.of(transcoder.picture(), tile);
    long bytes = writer.write(transcoder.picture(), grid, head, tail, out);
    if (bytes > Integer.MAX_VALUE) {
      throw Markers.unsupported("%d bytes once it is packed".formatted(bytes));
    }
    int flags = head.byteSize() < full.byteSize() ? PackedLayout.STANDARD_TABLES : 0;
    prove(jpeg, flags, out, bytes);
    return bytes;
  }

  /// {@return a JPEG of arithmetic coding as one of Huffman codes}
  private MemorySegment huffman(MemorySegment jpeg) throws DecodeException {
    HuffmanTransform rewriter = huffman;
    if (rewriter == null) {
      rewriter = new HuffmanTransform(budget, maxPixels);
      huffman = rewriter;
    }
    long bytes = rewriter.rewrite(jpeg, rewritten);
    MemorySegment coded = rewritten.memory().asSlice(0, bytes);
    header.read(coded);
    return coded;
  }

  /// Rebuilds the JPEG, and notes how it came back.
  private void prove(MemorySegment jpeg, int flags, Block out, long bytes) throws DecodeException {
    MemorySegment to = out.memory();
    to.set(JAVA_BYTE, PackedLayout.FLAGS, (byte) flags);
    long size = rebuild(out.memory().asSlice(0, bytes));
    MemorySegment back = rebuilt.memory().asSlice(0, size);
    exact = size == jpeg.byteSize() && back.mismatch(jpeg) < 0;
    if (!exact) {
      transcoder.prove(back);
    }
    to.set(JAVA_BYTE, PackedLayout.FLAGS, (byte) (flags | (exact ? PackedLayout.EXACT : 0)));
    to.set(U32, PackedLayout.SOURCE_BYTES, (int) size);
    crc.reset();
    crc.update(rebuilt.buffer(0, size));
    to.set(U32, PackedLayout.SOURCE_CRC, (int) crc.getValue());
  }

  /// {@return bytes of the JPEG, rebuilt}
  ///
  /// @throws DecodeException with [io.headrace.error.Fault#UNSUPPORTED] if it cannot be rebuilt.
  ///     The tables of a sound JPEG may lack a code that the usual spelling of a block needs.
  private long rebuild(MemorySegment packed) throws DecodeException {
    try {
      return rebuilder.rebuild(packed, rebuilt);
    } catch (DecodeException e) {
      throw Markers.unsupported("cannot be rebuilt once it is packed", e);
    }
  }

  /// {@return whether the last JPEG comes back byte for byte}
  public boolean exact() {
    return exact;
  }

  /// Adds up how often each symbol occurred in the last picture, to make codes of.
  ///
  /// @param sums by section, then by symbol
  public void count(long[][] sums) {
    for (int section = 0; section < sums.length; section++) {
      for (int symbol = 0; symbol < SymbolCode.SYMBOLS; symbol++) {
        sums[section][symbol] += writer.counted(section, symbol);
      }
    }
  }

  /// {@return bytes after the end of the last JPEG that are gone}
  public long trailingBytes() {
    return trailingBytes;
  }

  /// {@return whether an EXIF orientation other than upright is gone}
  public boolean orientationDropped() {
    return orientationDropped;
  }

  @Override
  public void close() {
    transcoder.close();
    sequential.close();
    rebuilt.close();
    rewritten.close();
    if (huffman != null) {
      huffman.close();
    }
  }
}
