package io.headrace.format.race;

import static io.headrace.memory.LittleEndian.U32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.jpeg.coefficients.ScanCuts;
import io.headrace.codec.jpeg.coefficients.ScanGroups;
import io.headrace.codec.jpeg.packed.PackedHeader;
import io.headrace.codec.stream.BlobCompression;
import io.headrace.codec.stream.BlobCompressor;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Parts;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Cuts a sample into blobs, one a group, and compresses each if each is compressed by itself.
///
/// What it hands to the shard's writer: u8 groups, u8 encoding, u8 flags, u8 channels; for each
/// group u32 plain bytes, u32 CRC-32C of these, u32 stored bytes, u32 CRC-32C of these; the blobs.
final class RacePacker implements SamplePacker {
  static final int ENTRY = 16;

  private final @Nullable ScanGroups scans;
  private final ScanCuts cuts = new ScanCuts();
  private final PackedHeader packed = new PackedHeader();
  private final int most;
  private final @Nullable BlobCompressor compressor;
  private final Block compressed = new Block(MemoryBudget.unbounded());
  private int groups;
  private long[] ends = new long[4];

  RacePacker(RaceOptions options) {
    scans = options.scans();
    most = options.groups();
    compressor =
        options.compression() instanceof BlobCompression.None || options.blockBytes() > 0
            ? null
            : new BlobCompressor(options.compression());
  }

  /// {@return bytes before the blobs}
  static long head(int groups) {
    return 4 + (long) ENTRY * groups;
  }

  @Override
  public long pack(SampleMeta meta, MemorySegment encoded, Sample source, Block into)
      throws DecodeException {
    Parts parts = meta.parts();
    cut(meta, encoded);
    boolean tiled = parts.tiles(0).byteSize() > 0;
    long fields = Blob.fieldBytes(source);
    int flags =
        (parts.levels() ? Blob.LEVELS : 0)
            | (tiled ? Blob.TILED : 0)
            | (fields > 0 ? Blob.FIELDS : 0);
    long head = head(groups);
    long tables = 0;
    for (int part = 0; tiled && part < parts.count(); part++) {
      tables += 4 + parts.tiles(part).byteSize();
    }
    MemorySegment to = into.ensure(head + tables + encoded.byteSize() + fields);
    to.set(JAVA_BYTE, 0, (byte) groups);
    to.set(JAVA_BYTE, 1, (byte) RaceEncoding.of(meta.format()));
    to.set(JAVA_BYTE, 2, (byte) flags);
    to.set(JAVA_BYTE, 3, (byte) meta.channels());
    long at = head;
    long from = 0;
    for (int group = 0; group < groups; group++) {
      long start = at;
      if (tiled && (group == 0 || parts.levels())) {
        MemorySegment table = parts.tiles(group);
        to.set(U32, at, (int) table.byteSize());
        MemorySegment.copy(table, 0, to, at + 4, table.byteSize());
        at += 4 + table.byteSize();
      }
      if (group == 0 && fields > 0) {
        at = Blob.writeFields(source, to, at);
      }
      MemorySegment.copy(encoded, from, to, at, ends[group] - from);
      at += ends[group] - from;
      from = ends[group];
      at = entry(to, group, start, at);
    }
    return at;
  }

  /// Decides where the encoded bytes are cut: [#groups] and [#ends].
  private void cut(SampleMeta meta, MemorySegment encoded) {
    Parts parts = meta.parts();
    if (parts.levels()) {
      begin(parts.count());
      long at = 0;
      for (int part = 0; part < groups; part++) {
        at += parts.length(part, encoded.byteSize());
        ends[part] = at;
      }
      return;
    }
    begin(1);
    if (most >= PackedHeader.MAX_BANDS && meta.format().equals(ImageFormat.PACKED.label())) {
      bands(encoded);
      return;
    }
    ScanGroups wanted = scans;
    if (wanted != null && meta.format().equals(ImageFormat.JPEG.label())) {
      try {
        cuts.find(encoded);
        // beginnings of a sequential one may lack components
        begin(cuts.progressive() ? wanted.groupOf(cuts.scans()) : 1);
        for (int group = 1; group < groups; group++) {
          ends[group - 1] = cuts.groupEnd(wanted, group);
        }
      } catch (DecodeException e) {
        begin(1); // damaged: stored as it is, for its reader to say so
      }
    }
    ends[groups - 1] = encoded.byteSize(); // with the end marker and what follows it
  }

  /// Cuts a packed JPEG after its bands.
  private void bands(MemorySegment encoded) {
    try {
      packed.read(encoded);
      begin(packed.bands());
      for (int band = 0; band < groups; band++) {
        ends[band] = packed.partEnd(band);
      }
    } catch (DecodeException e) {
      begin(1); // damaged: stored as it is, for its reader to say so
    }
    ends[groups - 1] = encoded.byteSize();
  }

  private void begin(int groups) {
    this.groups = groups;
    if (ends.length < groups) {
      ends = new long[groups];
    }
  }

  /// Writes a group's sizes and checksums, and compresses its blob in place.
  ///
  /// @return where the blob now ends
  private long entry(MemorySegment to, int group, long start, long end) throws DecodeException {
    MemorySegment plain = to.asSlice(start, end - start);
    if (plain.byteSize() > Integer.MAX_VALUE) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "%d bytes in one group: race takes up to 2 GiB".formatted(plain.byteSize()));
    }
    long at = 4 + (long) ENTRY * group;
    int crc = RaceLayout.crc(plain);
    to.set(U32, at, (int) plain.byteSize());
    to.set(U32, at + 4, crc);
    long stored = plain.byteSize();
    BlobCompressor each = compressor;
    if (each != null) {
      long bytes = each.compress(plain, compressed);
      if (bytes < stored) {
        MemorySegment.copy(compressed.memory(), 0, to, start, bytes);
        stored = bytes;
        crc = RaceLayout.crc(to.asSlice(start, bytes));
      }
    }
    to.set(U32, at + 8, (int) stored);
    to.set(U32, at + 12, crc);
    return start + stored;
  }

  @Override
  public void close() {
    compressed.close();
    if (compressor != null) {
      compressor.close();
    }
  }
}
