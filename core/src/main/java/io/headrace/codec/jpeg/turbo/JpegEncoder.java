package io.headrace.codec.jpeg.turbo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.PixelEncoder;
import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.QuantTables;
import io.headrace.codec.jpeg.Spread;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Encodes baseline JPEG through libjpeg-turbo, byte for byte as `cjpeg -quality Q -sample HxV` of
/// the same version does: standard Huffman tables, accurate integer DCT, a JFIF header. Tables of
/// data take a second pass ([Requantizer]).
///
/// One per worker: C state, and a thread-confined arena.
public final class JpegEncoder implements PixelEncoder {
  /// Columns or rows that libjpeg takes (`JPEG_MAX_DIMENSION`); the format has room for 35 more.
  private static final int MAX_EDGE = 65_500;

  /// The quality at which all steps are 1.
  static final int FINEST = 100;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment handle;
  private final MemorySegment buffer = arena.allocate(ADDRESS);
  private final MemorySegment size = arena.allocate(JAVA_LONG);
  private @Nullable Requantizer requantizer;

  /// @throws ConfigException if libturbojpeg is missing
  public JpegEncoder() {
    handle = TurboJpeg.initCompress(arena);
  }

  /// Encodes one image. Source: `tjCompress2` in turbojpeg.h, 2.1.
  ///
  /// @param pixels uint8 [height, width, channels], off heap, rows packed
  /// @param width columns, 1 to 65,500
  /// @param height rows, 1 to 65,500
  /// @param channels 3 for RGB, 1 for grey, which is always stored as grey
  /// @param quality 1 to 100 on the scale of the IJG
  /// @param subsampling of the chroma; [Subsampling#GRAY] drops the colours of RGB
  /// @param out takes the stream at its start; it grows to the worst case, about as large as
  ///     `pixels`
  /// @return bytes of the stream
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow the worst case,
  ///     or a side is over 65,500
  public long encode(
      MemorySegment pixels,
      int width,
      int height,
      int channels,
      int quality,
      Subsampling subsampling,
      Block out)
      throws DecodeException {
    if (quality < 1 || quality > 100 || subsampling == Subsampling.OTHER) {
      throw new IllegalArgumentException(
          "quality %d, subsampling %s: expected 1 to 100 and one that has a name"
              .formatted(quality, subsampling.label()));
    }
    long most = most(pixels, width, height, channels, subsampling);
    return encode(pixels, width, height, channels, quality, subsampling, out.ensure(most));
  }

  /// {@return the most bytes of a JPEG}
  private long most(
      MemorySegment pixels, int width, int height, int channels, Subsampling subsampling)
      throws DecodeException {
    ImageLimits.requireEncodable(pixels, width, height, channels);
    ImageLimits.requireEdge("jpeg", width, height, MAX_EDGE);
    long most = TurboJpeg.bufSize(width, height, samp(channels, subsampling));
    if (most < 0) {
      throw ImageLimits.notEncoded("jpeg", width, height, TurboJpeg.errorString(handle));
    }
    return most;
  }

  private static int samp(int channels, Subsampling subsampling) {
    return channels == 1 ? Subsampling.GRAY.tjsamp() : subsampling.tjsamp();
  }

  /// @param to has room for the worst case
  private long encode(
      MemorySegment pixels,
      int width,
      int height,
      int channels,
      int quality,
      Subsampling subsampling,
      MemorySegment to)
      throws DecodeException {
    ImageLimits.requireNative(to, pixels, (long) channels * width * height);
    buffer.set(ADDRESS, 0, to);
    size.set(JAVA_LONG, 0, to.byteSize());
    int format = channels == 1 ? TurboJpeg.TJPF_GRAY : TurboJpeg.TJPF_RGB;
    int flags = TurboJpeg.TJFLAG_NOREALLOC | TurboJpeg.TJFLAG_ACCURATEDCT;
    int samp = samp(channels, subsampling);
    if (TurboJpeg.compress(
            handle, pixels, width, height, format, buffer, size, samp, quality, flags)
        != 0) {
      throw ImageLimits.notEncoded("jpeg", width, height, TurboJpeg.errorString(handle));
    }
    return size.get(JAVA_LONG, 0);
  }

  @Override
  public long encode(
      MemorySegment pixels, int width, int height, int channels, ImageEncoding encoding, Block out)
      throws DecodeException {
    var jpeg = (JpegEncoding) encoding;
    return switch (jpeg.tables()) {
      case QuantTables.Standard() ->
          encode(pixels, width, height, channels, jpeg.quality(), jpeg.subsampling(), out);
      case QuantTables.Made made -> {
        long most = most(pixels, width, height, channels, jpeg.subsampling());
        MemorySegment memory = out.ensure(2 * most);
        MemorySegment fine = memory.asSlice(most, most);
        long bytes = encode(pixels, width, height, channels, FINEST, jpeg.subsampling(), fine);
        yield requantize(fine.asSlice(0, bytes), made, null, memory.asSlice(0, most));
      }
      case QuantTables.OfData() ->
          throw new IllegalStateException(jpeg.spec() + ": the tables have not been made");
    };
  }

  /// Gives a JPEG of quality 100 other tables.
  ///
  /// @param fine the JPEG, whose own tables are overwritten
  /// @param measured takes its coefficients; may be null
  /// @param to takes the new one; has room for the worst case
  /// @return bytes of it
  /// @throws DecodeException with [Fault#LIMIT] if libjpeg-turbo does not write it
  long requantize(
      MemorySegment fine, QuantTables.Made tables, @Nullable Spread measured, MemorySegment to)
      throws DecodeException {
    Requantizer second = requantizer;
    if (second == null) {
      second = new Requantizer(arena);
      requantizer = second;
    }
    long bytes = second.write(fine, tables, measured, to);
    if (bytes < 0) {
      throw new DecodeException(
          Fault.LIMIT, "jpeg: no other quantisation tables can be given: " + second.error());
    }
    return bytes;
  }

  @Override
  public void close() {
    arena.close();
  }
}
