package io.headrace.interop.beton;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Puts the parts of a sample after each other.
///
///     int32 mode, width, height, number of values
///     each value: int32 bytes of its name, int32 whether it is a feature, int64 bytes, name, bytes
///
/// The first value is the image, without a name; the second the key.
final class BetonPacker implements SamplePacker {
  static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT_UNALIGNED;
  static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG_UNALIGNED;
  static final int HEAD = 16;
  static final int VALUE_HEAD = 16;
  static final int JPEG = 0;
  static final int RAW = 1;
  static final String KEY = "key";

  private static final int MAX_NAME = 1000;

  private final ImageDecoder decoder = new ImageDecoder();

  @Override
  public long pack(SampleMeta meta, MemorySegment encoded, Sample source, Block into)
      throws DecodeException {
    boolean jpeg = meta.format().equals(ImageFormat.JPEG.label());
    if (!jpeg && !meta.format().equals(ImageFormat.RAW.label())) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "a .beton file holds JPEG and raw pixels, this is %s: convert it to raw or jpeg"
              .formatted(meta.format()));
    }
    if (meta.width() > 0xffff || meta.height() > 0xffff) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "a .beton file holds pictures of at most 65535 rows and columns, this has %d and %d"
              .formatted(meta.height(), meta.width()));
    }
    ImageInfo raw = jpeg ? null : decoder.probe(encoded);
    if (raw != null && (raw.hasAlpha() || raw.bitDepth() > 8)) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "a .beton file holds 8 bits of red, green and blue, this has %s"
              .formatted(raw.hasAlpha() ? "alpha" : raw.bitDepth() + " bits"));
    }
    long imageBytes = raw == null ? encoded.byteSize() : raw.rgbBytes();
    long total = HEAD + VALUE_HEAD + imageBytes;
    byte[] key = meta.key().getBytes(UTF_8);
    total += VALUE_HEAD + KEY.length() + key.length;
    for (int field = 0; field < source.fields(); field++) {
      long name = source.fieldNameBytes(field).byteSize();
      if (name > MAX_NAME) {
        throw new DecodeException(
            Fault.UNSUPPORTED, "a field whose name has %d bytes".formatted(name));
      }
      total += VALUE_HEAD + name + source.field(field).byteSize();
    }
    MemorySegment to = into.ensure(total);
    to.set(I32, 0, jpeg ? JPEG : RAW);
    to.set(I32, 4, meta.width());
    to.set(I32, 8, meta.height());
    to.set(I32, 12, 2 + source.fields());
    long at = head(to, HEAD, 0, false, imageBytes);
    if (raw == null) {
      MemorySegment.copy(encoded, 0, to, at, imageBytes);
    } else {
      decoder.decodeRgb(encoded, raw, to.asSlice(at, imageBytes));
    }
    at = head(to, at + imageBytes, KEY.length(), false, key.length);
    MemorySegment.copy(KEY.getBytes(UTF_8), 0, to, JAVA_BYTE, at, KEY.length());
    MemorySegment.copy(key, 0, to, JAVA_BYTE, at + KEY.length(), key.length);
    at += KEY.length() + key.length;
    for (int field = 0; field < source.fields(); field++) {
      MemorySegment name = source.fieldNameBytes(field);
      MemorySegment value = source.field(field);
      at = head(to, at, (int) name.byteSize(), source.isFeature(field), value.byteSize());
      MemorySegment.copy(name, 0, to, at, name.byteSize());
      at += name.byteSize();
      MemorySegment.copy(value, 0, to, at, value.byteSize());
      at += value.byteSize();
    }
    return at;
  }

  private static long head(MemorySegment to, long at, int name, boolean feature, long bytes) {
    to.set(I32, at, name);
    to.set(I32, at + 4, feature ? 1 : 0);
    to.set(I64, at + 8, bytes);
    return at + VALUE_HEAD;
  }

  @Override
  public void close() {
    decoder.close();
  }
}
