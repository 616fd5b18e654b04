package io.headrace.bench;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.jpeg.turbo.JpegDecoder;
import io.headrace.error.DecodeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The JPEGs of a folder and its subfolders, in memory, in the order of their paths.
///
/// @param jpegs the files' bytes, off heap
/// @param infos their headers
record JpegFolder(List<MemorySegment> jpegs, List<ImageInfo> infos) {
  /// {@return the files ending in `.jpg` or `.jpeg`, in any case, that the decoder takes}
  ///
  /// @param arena owns the bytes
  static JpegFolder load(Path folder, JpegDecoder decoder, Arena arena) throws IOException {
    List<MemorySegment> jpegs = new ArrayList<>();
    List<ImageInfo> infos = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(file -> file.toString().matches("(?i).*\\.jpe?g"))
          .sorted()
          .forEach(
              file -> {
                MemorySegment jpeg = read(file, arena);
                try {
                  infos.add(decoder.probe(jpeg));
                  jpegs.add(jpeg);
                } catch (DecodeException e) {
                  System.err.println("left out: " + file + ": " + e.getMessage());
                }
              });
    }
    if (jpegs.isEmpty()) {
      throw new IOException("no JPEG in " + folder);
    }
    return new JpegFolder(jpegs, infos);
  }

  /// {@return the bytes of some images of a folder and its subfolders, evenly spread over their
  ///     paths}
  ///
  /// @param endings of their names, a regular expression, letters in any case
  /// @param most how many
  /// @param arena owns the bytes
  static List<MemorySegment> some(Path folder, String endings, int most, Arena arena)
      throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(f -> f.toString().matches("(?i).*\\." + endings)).sorted().toList();
    }
    if (files.isEmpty()) {
      throw new IOException("no image in " + folder);
    }
    List<MemorySegment> images = new ArrayList<>();
    int count = Math.min(most, files.size());
    for (int i = 0; i < count; i++) {
      images.add(read(files.get((int) ((long) i * files.size() / count)), arena));
    }
    return images;
  }

  /// {@return the bytes of a file}
  ///
  /// @param arena owns them
  static MemorySegment read(Path file, Arena arena) {
    try (var channel = FileChannel.open(file)) {
      MemorySegment bytes = arena.allocate(channel.size());
      var buffer = bytes.asByteBuffer();
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// {@return bytes of the largest decoded image}
  long largest() {
    return infos.stream().mapToLong(ImageInfo::rgbBytes).max().orElse(0);
  }

  /// {@return bytes of all decoded images}
  long rgbBytes() {
    return infos.stream().mapToLong(ImageInfo::rgbBytes).sum();
  }
}
