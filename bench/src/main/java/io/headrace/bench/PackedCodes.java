package io.headrace.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.Subsampling;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.jpeg.packed.KnownCodes;
import io.headrace.codec.jpeg.turbo.JpegEncoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Makes the codes of packed JPEG that every reader knows, from photographs: encoded again in 4:2:0
/// at the qualities 75 and 90, and in 4:4:4 at 96.
///
/// Run once, when the format was made; they are part of it:
/// `java --enable-native-access=ALL-UNNAMED -cp bench.jar io.headrace.bench.PackedCodes
/// samples/photos OUT`.
public final class PackedCodes {
  private record Setting(int quality, Subsampling subsampling) {}

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(75, Subsampling.S420),
          new Setting(90, Subsampling.S420),
          new Setting(96, Subsampling.S444));

  private PackedCodes() {}

  /// Runs it.
  ///
  /// @param args folder of photos, file to write
  public static void main(String[] args) throws Exception {
    Mains.run(PackedCodes.class, 2, args, PackedCodes::run);
  }

  private static void run(String[] args) throws IOException, DecodeException {
    try (Arena arena = Arena.ofConfined();
        Stream<Path> files = Files.walk(Path.of(args[0]))) {
      List<Path> photos = files.filter(Files::isRegularFile).sorted().toList();
      List<List<MemorySegment>> sets = new ArrayList<>();
      for (Setting setting : SETTINGS) {
        sets.add(encode(photos, setting, arena));
      }
      Files.write(Path.of(args[1]), KnownCodes.of(sets));
    }
  }

  private static List<MemorySegment> encode(List<Path> photos, Setting setting, Arena arena)
      throws IOException, DecodeException {
    List<MemorySegment> jpegs = new ArrayList<>();
    try (var decoder = new ImageDecoder();
        var encoder = new JpegEncoder();
        var out = new Block(MemoryBudget.unbounded())) {
      for (Path photo : photos) {
        MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, Files.readAllBytes(photo));
        ImageInfo info = decoder.probe(bytes);
        MemorySegment rgb = arena.allocate(info.rgbBytes());
        decoder.decodeRgb(bytes, info, rgb);
        long size =
            encoder.encode(
                rgb, info.width(), info.height(), 3, setting.quality(), setting.subsampling(), out);
        jpegs.add(arena.allocate(size).copyFrom(out.memory().asSlice(0, size)));
      }
    }
    return jpegs;
  }
}
