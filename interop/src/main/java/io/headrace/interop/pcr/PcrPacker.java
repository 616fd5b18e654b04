package io.headrace.interop.pcr;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.coefficients.ScanCuts;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Cuts a JPEG into its entries for a record's messages.
///
/// Packed form: u32 number of entries; u32 bytes of each; then the entries, protobuf fields with
/// their tags. The first is for the metadata, the others for the scan groups in order.
final class PcrPacker implements SamplePacker {
  /// The most parts of an image: later scans belong to the last.
  static final int MAX_PARTS = 64;

  static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final JpegHeader header = new JpegHeader();
  private final ScanCuts cuts = new ScanCuts();
  private final long[] ends = new long[MAX_PARTS + 1];

  @Override
  public long pack(SampleMeta meta, MemorySegment encoded, Sample source, Block into)
      throws DecodeException {
    if (!meta.format().equals(ImageFormat.JPEG.label())) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "a PCR record holds JPEG images only, this is %s: convert it to jpeg"
              .formatted(meta.format()));
    }
    if (meta.label() != (int) meta.label()) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "a PCR record holds labels of 32 bits, this is %d".formatted(meta.label()));
    }
    int parts = cut(encoded);
    long tail = encoded.byteSize() - ends[parts];
    boolean plainEnd = tail == 2; // an end marker: the walk over the markers ended with one
    byte[] key = meta.key().getBytes(UTF_8);
    long extra = MessageOutput.fieldBytes(Tags.EXTRA_KEY, key.length);
    for (int field = 0; field < source.fields(); field++) {
      extra += MessageOutput.fieldBytes(Tags.EXTRA_FIELD, fieldBytes(source, field));
    }
    long table = (2L + parts) * Integer.BYTES;
    long total = table + MessageOutput.fieldBytes(Tags.EXTRA, extra);
    for (int part = 1; part <= parts; part++) {
      total += MessageOutput.fieldBytes(Tags.PART, ends[part] - ends[part - 1]);
    }
    total += plainEnd ? 0 : MessageOutput.fieldBytes(Tags.TAIL, tail);
    if (total > Integer.MAX_VALUE) {
      throw new DecodeException(
          Fault.LIMIT,
          "a sample of %d bytes: a PCR message holds less than 2 GiB".formatted(total));
    }
    MemorySegment memory = into.ensure(total);
    memory.set(U32, 0, parts + 1);
    var out = new MessageOutput(memory, table);
    writeExtra(out, extra, key, source);
    memory.set(U32, Integer.BYTES, (int) (out.position() - table));
    for (int part = 1; part <= parts; part++) {
      long start = out.position();
      out.bytes(Tags.PART, encoded.asSlice(ends[part - 1], ends[part] - ends[part - 1]));
      if (part == parts && !plainEnd) {
        out.bytes(Tags.TAIL, encoded.asSlice(ends[parts]));
      }
      memory.set(U32, (1L + part) * Integer.BYTES, (int) (out.position() - start));
    }
    return out.position();
  }

  /// Finds where parts end: after the scans of a progressive JPEG; a sequential one is a single
  /// part, since without one of its scans it lacks a colour.
  ///
  /// @return how many there are
  private int cut(MemorySegment encoded) throws DecodeException {
    header.read(encoded);
    cuts.find(encoded);
    int scans = cuts.scans();
    int parts = header.progressive() ? Math.min(scans, MAX_PARTS) : 1;
    for (int part = 1; part < parts; part++) {
      ends[part] = cuts.scanEnd(part);
    }
    ends[parts] = cuts.scanEnd(scans);
    return parts;
  }

  private static long fieldBytes(Sample source, int field) {
    return MessageOutput.fieldBytes(Tags.FIELD_NAME, name(source, field).length)
        + MessageOutput.fieldBytes(Tags.FIELD_VALUE, source.field(field).byteSize())
        + (source.isFeature(field) ? 2 : 0);
  }

  private static byte[] name(Sample source, int field) {
    return source.fieldName(field).getBytes(UTF_8);
  }

  private static void writeExtra(MessageOutput out, long bytes, byte[] key, Sample source) {
    out.begin(Tags.EXTRA, bytes);
    out.bytes(Tags.EXTRA_KEY, MemorySegment.ofArray(key));
    for (int field = 0; field < source.fields(); field++) {
      out.begin(Tags.EXTRA_FIELD, fieldBytes(source, field));
      out.bytes(Tags.FIELD_NAME, MemorySegment.ofArray(name(source, field)));
      out.bytes(Tags.FIELD_VALUE, source.field(field));
      if (source.isFeature(field)) {
        out.number(Tags.FIELD_IS_FEATURE, 1);
      }
    }
  }

  @Override
  public void close() {
    // holds nothing
  }
}
