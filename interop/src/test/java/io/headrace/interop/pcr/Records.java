package io.headrace.interop.pcr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.format.ShardWriter;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Record files of tests: the fixtures, and new ones.
final class Records {
  /// One image as it went in or came out.
  @SuppressWarnings("ArrayRecordComponent") // compared field by field
  record Image(String key, long label, byte[] bytes) {
    String sha256() {
      return Records.sha256(bytes);
    }
  }

  private Records() {}

  static Path fixture(String name) {
    try {
      var url = Records.class.getResource("/pcr/" + name);
      if (url == null) {
        throw new AssertionError("no fixture " + name);
      }
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  static Image image(String name, long label) throws IOException {
    return new Image("some/" + name, label, Files.readAllBytes(fixture("images/" + name)));
  }

  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (var files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  static Sample sample() {
    return new Sample(new Block(MemoryBudget.unbounded()));
  }

  static Image take(Sample sample) {
    return new Image(sample.key(), sample.label(), sample.encoded().toArray(JAVA_BYTE));
  }

  /// {@return all images, read shard by shard}
  static List<Image> stream(Dataset dataset, int fidelity) throws IOException {
    List<Image> all = new ArrayList<>();
    try (Sample sample = sample()) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard, fidelity)) {
          while (cursor.next(sample)) {
            all.add(take(sample));
          }
        }
      }
    }
    return all;
  }

  /// Writes shards and their index, as a conversion does.
  @SafeVarargs
  static List<String> write(Path folder, List<Image>... shards) throws Exception {
    Container container = new PcrContainer();
    List<String> names = new ArrayList<>();
    for (int shard = 0; shard < shards.length; shard++) {
      String name = "x-%05d-of-%05d.pcr".formatted(shard, shards.length);
      names.add(name);
      try (var out =
              FileChannel.open(
                  folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          ShardWriter writer =
              container.newShard(
                  new Container.ShardTarget(
                      out, folder.resolve("scratch-" + shard), shard, shards.length));
          SamplePacker packer = container.newPacker();
          Sample source = sample();
          Block into = new Block(MemoryBudget.unbounded());
          Arena arena = Arena.ofConfined()) {
        for (Image image : shards[shard]) {
          var meta = new SampleMeta(image.key(), image.label(), "", "jpeg", 1, 1, 3);
          caption(source, image.key());
          long packed =
              packer.pack(meta, arena.allocateFrom(JAVA_BYTE, image.bytes()), source, into);
          writer.write(meta, into.memory().asSlice(0, packed));
        }
        writer.finish();
      }
    }
    container.complete(folder, names);
    return names;
  }

  /// Gives a sample one field, `json`, that holds `text`.
  private static void caption(Sample source, String text) throws DecodeException {
    byte[] bytes = ("json" + text).getBytes(UTF_8);
    source.place("source", 0, 0);
    MemorySegment.copy(
        MemorySegment.ofArray(bytes), 0, source.ensure(bytes.length), 0, bytes.length);
    source.addField(0, 4, 4, bytes.length - 4, false);
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
