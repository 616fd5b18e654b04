package io.headrace.codec.images;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.coefficients.JpegTarget;
import io.headrace.codec.jpeg.coefficients.JpegTranscoder;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.packed.PackedDecoder;
import io.headrace.codec.jpeg.packed.PackedTranscoder;
import io.headrace.codec.jpeg.planes.BaselineDecoder;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledJpegDecoder;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// What rewrites JPEGs, as [FuzzTarget]s take it.
final class FuzzedTranscoders {
  private FuzzedTranscoders() {}

  /// Rewrites every input as a progressive JPEG.
  static final class Progressive implements FuzzTarget.Decoder {
    private final JpegTranscoder transcoder;
    private final Block out;

    Progressive(MemoryBudget budget) {
      transcoder = new JpegTranscoder(budget, FuzzTarget.MAX_PIXELS);
      out = new Block(budget);
    }

    @Override
    public void decode(MemorySegment bytes) throws DecodeException {
      var _ = transcoder.transcode(bytes, new JpegTarget.Progressive(MetadataPolicy.KEEP_ALL), out);
    }

    @Override
    public void close() {
      transcoder.close();
      out.close();
    }
  }

  /// Decodes a region of every packed picture to planes, and makes its JPEG again.
  static final class Packed implements FuzzTarget.Decoder {
    private final PackedDecoder decoder;
    private final Planes planes = new Planes();

    Packed(MemoryBudget budget) {
      decoder = new PackedDecoder(budget, FuzzTarget.MAX_PIXELS);
    }

    @Override
    public void decode(MemorySegment bytes) throws DecodeException {
      ImageInfo info = decoder.probe(bytes);
      var scale = new JpegScale(1 << (bytes.byteSize() & 3));
      int height = scale.scaled(info.height());
      int width = scale.scaled(info.width());
      var part = new Region(height / 3, width / 3, (height + 1) / 2, (width + 1) / 2);
      boolean _ = decoder.decodePlanes(bytes, part, scale, planes);
      var _ = decoder.jpeg(bytes);
    }

    @Override
    public void close() {
      decoder.close();
    }

    /// {@return some JPEGs, packed}
    static List<byte[]> corpus() {
      List<byte[]> packed = new ArrayList<>();
      try (Arena arena = Arena.ofConfined();
          var transcoder = new PackedTranscoder(MemoryBudget.unbounded(), FuzzTarget.MAX_PIXELS);
          var out = new Block(MemoryBudget.unbounded())) {
        for (String name : List.of("baseline", "cmyk", "grey", "progressive", "restart-rows")) {
          byte[] jpeg = Pictures.resource("jpeg/" + name + ".jpg");
          MemorySegment bytes = Pictures.offHeap(arena, jpeg);
          long size = transcoder.pack(bytes, 2, MetadataPolicy.KEEP_ALL, out);
          packed.add(out.memory().asSlice(0, size).toArray(JAVA_BYTE));
        }
      } catch (DecodeException e) {
        throw new IllegalStateException(e);
      }
      return packed;
    }
  }

  /// Decodes a region of every input to planes.
  static final class PlanesTarget implements FuzzTarget.Decoder {
    private final BaselineDecoder decoder;
    private final JpegHeader header = new JpegHeader();
    private final Planes planes = new Planes();

    PlanesTarget(MemoryBudget budget) {
      decoder = new BaselineDecoder(budget);
    }

    @Override
    public void decode(MemorySegment bytes) throws DecodeException {
      header.read(bytes);
      ImageLimits.requirePixels("jpeg", header.width(), header.height(), FuzzTarget.MAX_PIXELS);
      var scale = new JpegScale(1 << (bytes.byteSize() & 3));
      int height = scale.scaled(header.height());
      int width = scale.scaled(header.width());
      var part = new Region(height / 3, width / 3, (height + 1) / 2, (width + 1) / 2);
      if (!decoder.decode(bytes, header, null, part, scale, planes)) {
        throw new DecodeException(Fault.UNSUPPORTED, "jpeg: left to libjpeg-turbo");
      }
    }

    @Override
    public void close() {
      decoder.close();
    }
  }

  /// Decodes a region of every input as if it were tiled, then rewrites it in tiles.
  static final class Tiles implements FuzzTarget.Decoder {
    private final TiledJpegDecoder decoder;
    private final JpegHeader header = new JpegHeader();
    private final TileTable tiles = new TileTable();
    private final Block out;

    Tiles(MemoryBudget budget) {
      decoder = new TiledJpegDecoder(budget, FuzzTarget.MAX_PIXELS);
      out = new Block(budget);
    }

    @Override
    public void decode(MemorySegment bytes) throws DecodeException {
      header.read(bytes);
      ImageLimits.requirePixels("jpeg", header.width(), header.height(), FuzzTarget.MAX_PIXELS);
      if (TileTable.tiled(bytes, header) && tiles.scan(bytes, header)) {
        int top = header.height() / 3;
        int left = header.width() / 3;
        var region =
            new Region(
                top,
                left,
                Math.ceilDiv(header.height() - top, 2),
                Math.ceilDiv(header.width() - left, 2));
        var _ = decoder.decode(bytes, tiles, region, JpegScale.FULL);
      }
      long _ = new TiledTranscoder().tile(bytes, 2, out, new TileTable());
    }

    @Override
    public void close() {
      decoder.close();
      out.close();
    }
  }
}
