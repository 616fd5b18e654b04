package io.headrace.cli;

import io.headrace.codec.Subsampling;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import picocli.CommandLine;

/// Runs once, when the start-up cache is made. So the cache holds the classes that commands need,
/// and the profiles that the JIT compiler would otherwise have to collect first.
final class WarmUp {
  /// So many images that their code counts as hot, as in a real dataset.
  private static final int IMAGES = 3000;

  private static final int EDGE = 32;

  private WarmUp() {}

  static void run() {
    CommandLine command = Main.commandLine();
    var nowhere = new PrintWriter(Writer.nullWriter());
    command.setOut(nowhere).setErr(nowhere);
    command.execute("--help");
    command.execute("load", "--help");
    command.execute("serve", "--help");
    command.execute("inspect", "no such folder");
    command.execute("doctor");
    try {
      Path folder = Files.createTempDirectory("headrace-warm-up");
      try {
        Path pictures = folder.resolve("pictures");
        draw(pictures);
        command.execute("inspect", pictures.toString());
        command.execute("verify", pictures.toString());
        command.execute("load", pictures.toString(), "--stop-after", "8", "--no-digest");
        convert(command, pictures, folder.resolve("recoded"), "--encoding", "jpeg:50");
        convert(command, pictures, folder.resolve("copied"), "--format", "race");
        for (String form : new String[] {"baseline", "progressive", "tiled"}) {
          convert(command, pictures, folder.resolve(form), "--encoding", form, "--format", "race");
        }
        command.execute("load", folder.resolve("tiled").toString(), "--no-digest");
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void convert(CommandLine command, Path from, Path to, String... options) {
    String[] first = {"convert", from.toString(), to.toString(), "--threads", "1"};
    command.execute(Stream.of(first, options).flatMap(Stream::of).toArray(String[]::new));
  }

  /// Fills a folder with small JPEGs of noise, in two classes.
  private static void draw(Path folder) throws IOException {
    var random = new Random(1);
    var noise = new byte[3 * EDGE * EDGE];
    try (Arena arena = Arena.ofConfined();
        var encoder = new ImageEncoder();
        var jpeg = new Block(MemoryBudget.unbounded())) {
      MemorySegment pixels = arena.allocate(noise.length);
      var encoding = new JpegEncoding(90, Subsampling.S420);
      for (int i = 0; i < IMAGES; i++) {
        random.nextBytes(noise);
        MemorySegment.copy(noise, 0, pixels, ValueLayout.JAVA_BYTE, 0, noise.length);
        long bytes = encoder.encode(pixels, EDGE, EDGE, 3, encoding, jpeg);
        Path file = folder.resolve(i % 2 == 0 ? "even" : "odd").resolve(i + ".jpg");
        Files.createDirectories(file.getParent());
        Files.write(file, jpeg.memory().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
      }
    } catch (DecodeException e) {
      throw new IOException(e);
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
