// SPDX-License-Identifier: Apache-2.0

import io.headrace.codec.stream.Compression;
import io.headrace.error.DecodeException;
import io.headrace.format.Container.ShardTarget;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.ImageFolder;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.tar.TarContainer;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Our side of the tar checks of `./test --peers`:
///
///     write COMPRESSION SHARDS OUT IMAGEDIR    image folder to WebDataset shards, with indexes
///     read FILE…                               a line a sample: stem, label, SHA-256 of the image
void main(String[] args) throws IOException, DecodeException {
  switch (args[0]) {
    case "write" ->
        write(Compression.parse(args[1]), Integer.parseInt(args[2]), Path.of(args[3]), args[4]);
    case "read" -> {
      for (int i = 1; i < args.length; i++) {
        read(Path.of(args[i]));
      }
    }
    default -> throw new IllegalArgumentException("unknown verb " + args[0]);
  }
}

void write(Compression compression, int shards, Path out, String from)
    throws IOException, DecodeException {
  var container = new TarContainer(compression);
  List<String> names = new ArrayList<>();
  Files.createDirectories(out);
  try (var source = ImageFolder.open(Path.of(from));
      var reader = source.openReader();
      var packer = container.newPacker();
      var sample = new Sample(new Block(MemoryBudget.unbounded()));
      var packed = new Block(MemoryBudget.unbounded())) {
    for (int s = 0; s < shards; s++) {
      String name = "photos-%06d%s".formatted(s, container.extension());
      names.add(name);
      try (var file =
              FileChannel.open(
                  out.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var writer = container.newShard(new ShardTarget(file, out.resolve("s"), s, shards))) {
        for (long i = source.size() * s / shards; i < source.size() * (s + 1) / shards; i++) {
          reader.read(i, sample);
          var meta = new SampleMeta(sample.key(), sample.label(), "", "", 0, 0, 0);
          long bytes = packer.pack(meta, sample.encoded(), sample, packed);
          writer.write(meta, packed.memory().asSlice(0, bytes));
        }
        writer.finish();
      }
    }
  }
  container.complete(out, names);
}

void read(Path file) throws IOException {
  try (Dataset data = Datasets.open(file);
      var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
    for (int s = 0; s < data.shards().size(); s++) {
      try (var cursor = data.openCursor(s)) {
        while (cursor.next(sample)) {
          byte[] image = sample.encoded().toArray(ValueLayout.JAVA_BYTE);
          String key = sample.key();
          String stem = key.substring(0, key.indexOf('.', key.lastIndexOf('/') + 1));
          IO.println(stem + "\t" + sample.label() + "\t" + sha256(image));
        }
      }
    }
    for (String warning : data.warnings()) {
      System.err.println(warning);
    }
  }
}

String sha256(byte[] bytes) {
  try {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  } catch (NoSuchAlgorithmException e) {
    throw new AssertionError("every JDK has it", e);
  }
}
