// SPDX-License-Identifier: Apache-2.0

import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioInfo;
import io.headrace.sound.SampleType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Our side of `./test --suites`: decodes files, one decoder of each kind for all of them.
///
///     Suites LIST OUT    LIST has a line a file: "image" or "sound", a tab, its path
///
/// File number N becomes OUT/N.raw: uint8 [height, width, 3] the right way up, or float32 [frames,
/// channels]. Prints a line a file: "ok" and the shape (images: height, width; sounds: rate,
/// channels, frames), or the fault and its message; separated by tabs.
final class Suites {
  private Suites() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[1]);
    try (var images = new ImageDecoder(MemoryBudget.unbounded(), 1L << 28, true);
        var sounds = new AudioDecoder();
        var block = new Block(MemoryBudget.unbounded())) {
      int number = 0;
      for (String line : Files.readAllLines(Path.of(args[0]))) {
        String[] parts = line.split("\t");
        Path raw = out.resolve(number++ + ".raw");
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment bytes =
              arena.allocateFrom(ValueLayout.JAVA_BYTE, Files.readAllBytes(Path.of(parts[1])));
          System.out.println(
              parts[0].equals("image")
                  ? image(images, bytes, block, raw)
                  : sound(sounds, bytes, block, raw));
        } catch (DecodeException e) {
          System.out.println(
              e.fault() + "\t" + String.valueOf(e.getMessage()).replaceAll("\\s", " "));
        } catch (RuntimeException | Error e) {
          System.out.println("CRASH\t" + e);
        }
      }
    }
  }

  private static String image(ImageDecoder decoder, MemorySegment bytes, Block block, Path raw)
      throws DecodeException, IOException {
    ImageInfo info = decoder.probe(bytes);
    MemorySegment rgb = block.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
    decoder.decodeRgb(bytes, info, rgb);
    write(rgb, raw);
    return "ok\t" + info.height() + "\t" + info.width();
  }

  private static String sound(AudioDecoder decoder, MemorySegment bytes, Block block, Path raw)
      throws DecodeException, IOException {
    AudioInfo info = decoder.probe(bytes);
    long frames = decoder.decode(bytes, SampleType.FLOAT32, block);
    if (frames != info.frames()) {
      throw new IllegalStateException(frames + " frames came out, " + info.frames() + " were told");
    }
    write(block.memory().asSlice(0, info.bytes(SampleType.FLOAT32)), raw);
    return "ok\t" + info.sampleRate() + "\t" + info.channels() + "\t" + frames;
  }

  private static void write(MemorySegment bytes, Path file) throws IOException {
    try (var channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      for (long at = 0; at < bytes.byteSize(); at += 1 << 28) {
        var part = bytes.asSlice(at, Math.min(1 << 28, bytes.byteSize() - at)).asByteBuffer();
        while (part.hasRemaining()) {
          channel.write(part);
        }
      }
    }
  }
}
