package io.headrace.bench;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.jpeg.packed.PackedTranscoder;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Packs every JPEG of some folders and says of how many the pixels are the same: in colours, and
/// in the planes that libjpeg-turbo decodes at full size and at 1/8. Files count that begin as
/// JPEGs do, whatever they are called.
///
/// Run: `java --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector -cp bench.jar
/// io.headrace.bench.PackedPixels FOLDER…`. Names those that differ, and ends with exit code 1
/// then.
public final class PackedPixels {
  private static final MemoryBudget BUDGET = MemoryBudget.unbounded();
  private static final List<JpegScale> SCALES = List.of(JpegScale.FULL, new JpegScale(1));

  private final ImageDecoder images = new ImageDecoder();
  private final JpegDecoder turbo = new JpegDecoder();
  private final PackedTranscoder packer = new PackedTranscoder(BUDGET, ImageLimits.MAX_PIXELS);
  private final Block expected = new Block(BUDGET);
  private final Block found = new Block(BUDGET);
  private final Block packed = new Block(BUDGET);
  private final Planes plain = new Planes();
  private final Planes planes = new Planes();
  private int files;
  private int undecodable;
  private int kept;
  private int exact;
  private int inPlanes;
  private int differing;

  private PackedPixels() {}

  /// Runs it.
  ///
  /// @param args folders
  public static void main(String[] args) throws Exception {
    Mains.run(PackedPixels.class, 1, args, PackedPixels::run);
  }

  private static void run(String[] args) throws IOException {
    int wrong = 0;
    for (String folder : args) {
      var all = new PackedPixels();
      try (Stream<Path> walk = Files.walk(Path.of(folder))) {
        walk.filter(Files::isRegularFile).sorted().forEach(all::file);
      }
      System.out.printf(
          "%s: %,d JPEGs, of which %,d cannot be decoded and %,d cannot be packed; of the others"
              + " %,d of %,d have the same pixels, %,d come back byte for byte; planes of %,d%n",
          folder,
          all.files,
          all.undecodable,
          all.kept,
          all.files - all.undecodable - all.kept - all.differing,
          all.files - all.undecodable - all.kept,
          all.exact,
          all.inPlanes);
      wrong += all.differing;
    }
    if (wrong > 0) {
      System.exit(1);
    }
  }

  private void file(Path file) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment jpeg = JpegFolder.read(file, arena);
      if (!ImageFormat.JPEG.equals(ImageFormat.detect(jpeg))) {
        return;
      }
      files++;
      long bytes = decode(jpeg, expected);
      if (bytes < 0) {
        undecodable++;
        return;
      }
      MemorySegment picture = pack(file, jpeg);
      if (picture == null) {
        kept++;
        return;
      }
      exact += packer.exact() ? 1 : 0;
      boolean same =
          decode(picture, found) == bytes
              && MemorySegment.mismatch(expected.memory(), 0, bytes, found.memory(), 0, bytes) < 0;
      if (!same || !samePlanes(jpeg, picture)) {
        differing++;
        System.out.println(file + ": other pixels");
      }
    } catch (DecodeException e) {
      differing++;
      System.out.println(file + ": " + e.getMessage());
    }
  }

  /// {@return bytes of the pixels; -1 if it cannot be decoded}
  private long decode(MemorySegment image, Block to) {
    try {
      ImageInfo info = images.probe(image);
      images.decodeRgb(image, info, to.ensure(info.rgbBytes()));
      return info.rgbBytes();
    } catch (DecodeException e) {
      return -1;
    }
  }

  private @Nullable MemorySegment pack(Path file, MemorySegment jpeg) {
    try {
      long bytes = packer.pack(jpeg, 0, MetadataPolicy.KEEP_ALL, packed);
      return packed.memory().asSlice(0, bytes);
    } catch (DecodeException e) {
      System.out.println(file + ": stays as it is: " + e.getMessage());
      return null;
    }
  }

  private boolean samePlanes(MemorySegment jpeg, MemorySegment picture) throws DecodeException {
    ImageInfo info = turbo.probe(jpeg);
    if (!turbo.header().inPlanes()) {
      return true;
    }
    boolean same = true;
    for (JpegScale scale : SCALES) {
      Region all = new Region(0, 0, scale.scaled(info.height()), scale.scaled(info.width()));
      if (turbo.decodePlanes(jpeg, info, scale, all.height(), plain)
          && images.packed().decodePlanes(picture, all, scale, planes)) {
        inPlanes += scale.eighths() == 8 ? 1 : 0;
        same &= same(all);
      }
    }
    return same;
  }

  private boolean same(Region all) {
    for (int p = 0; p < plain.count(); p++) {
      int columns = Math.ceilDiv(all.width(), p == 0 ? 1 : plain.across());
      for (int y = 0; y < Math.ceilDiv(all.height(), p == 0 ? 1 : plain.down()); y++) {
        long a = plain.offset(p, y, 0);
        long b = planes.offset(p, y, 0);
        if (MemorySegment.mismatch(plain.memory(), a, a + columns, planes.memory(), b, b + columns)
            >= 0) {
          return false;
        }
      }
    }
    return plain.count() == planes.count();
  }
}
