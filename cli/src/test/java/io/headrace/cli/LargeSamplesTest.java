package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.format.tfrecord.MaskedCrc;
import io.headrace.testkit.Photos;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Samples of 2 GiB and more, in sparse files: a LIMIT fault of that sample, in every container and
/// for every command, and the others are as good as ever.
final class LargeSamplesTest {
  private static final long LARGE = 2_500_000_000L;

  @TempDir private Path dir = Path.of(".");

  private record Ran(int code, String out, String err) {}

  private static Ran run(Object... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(List.of(args).stream().map(String::valueOf).toArray(String[]::new));
    return new Ran(code, out.toString(), err.toString());
  }

  /// A file that is written from first to last, where nothing else is said with holes.
  private record Sparse(FileChannel channel) implements AutoCloseable {
    static Sparse at(Path file) throws IOException {
      return new Sparse(
          FileChannel.open(
              file,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.SPARSE,
              StandardOpenOption.WRITE));
    }

    void put(byte[] bytes) throws IOException {
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }

    void hole(long bytes) throws IOException {
      channel.position(channel.position() + bytes);
    }

    void u32(long... values) throws IOException {
      for (long value : values) {
        put(little(4).putInt((int) value).array());
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] photo(int number) throws IOException {
    return Files.readAllBytes(Photos.sorted(Photos.sorted(Photos.folder()).getFirst()).get(number));
  }

  private Path set(String container) throws IOException {
    Path set = Files.createDirectories(dir.resolve("set"));
    switch (container) {
      case "folder" -> folder(set);
      case "tar" -> tar(set.resolve("a.tar"));
      case "tfrecord" -> tfRecord(set.resolve("a.tfrecord"));
      case "mds" -> mds(set);
      case "pcr" -> pcr(set);
      case "race" -> race(set);
      default -> throw new AssertionError(container);
    }
    return set;
  }

  private static void folder(Path set) throws IOException {
    Path group = Files.createDirectories(set.resolve("a"));
    Files.write(group.resolve("1.jpg"), photo(0));
    try (Sparse file = Sparse.at(group.resolve("2.jpg"))) {
      file.put(photo(1));
      file.hole(LARGE);
      file.put(new byte[1]);
    }
    Files.write(group.resolve("3.jpg"), photo(2));
  }

  private static void tar(Path set) throws IOException {
    try (Sparse file = Sparse.at(set)) {
      member(file, "1.jpg", photo(0), 0);
      member(file, "1.cls", utf8("0"), 0);
      member(file, "2.jpg", photo(1), LARGE / 512 * 512);
      member(file, "2.cls", utf8("0"), 0);
      member(file, "3.jpg", photo(2), 0);
      member(file, "3.cls", utf8("0"), 0);
      file.put(new byte[1024]);
    }
  }

  private static void member(Sparse file, String name, byte[] data, long hole) throws IOException {
    byte[] header = new byte[512];
    System.arraycopy(utf8(name), 0, header, 0, name.length());
    System.arraycopy(utf8("%011o".formatted(data.length + hole)), 0, header, 124, 11);
    System.arraycopy(utf8("        0"), 0, header, 148, 9);
    System.arraycopy(utf8("ustar\00000"), 0, header, 257, 8);
    int sum = 0;
    for (byte b : header) {
      sum += b;
    }
    System.arraycopy(utf8("%06o\0".formatted(sum)), 0, header, 148, 7);
    file.put(header);
    file.put(data);
    file.hole(hole);
    file.put(new byte[(512 - data.length % 512) % 512]);
  }

  private void tfRecord(Path set) throws IOException {
    Path few = Photos.few(dir.resolve("few"), 1, 1);
    Path small = dir.resolve("small");
    assertThat(run("convert", few, small, "--shards", 1).code()).isZero();
    byte[] records =
        Files.readAllBytes(
            Photos.sorted(small).getFirst().resolveSibling("data-00000-of-00001.tfrecord"));
    try (Sparse file = Sparse.at(set)) {
      file.put(records);
      byte[] length = little(8).putLong(LARGE).array();
      file.put(length);
      file.u32(new MaskedCrc().of(MemorySegment.ofArray(length)));
      file.hole(LARGE + 4);
      file.put(records);
    }
  }

  private static void mds(Path set) throws IOException {
    byte[][] photos = {photo(0), photo(1), photo(2)};
    long large = LARGE - 4;
    long first = 4 * 5;
    long second = first + 4 + photos[0].length;
    long third = second + LARGE;
    long end = third + 4 + photos[2].length;
    try (Sparse file = Sparse.at(set.resolve("shard.00000.mds"))) {
      file.u32(3, first, second, third, end, photos[0].length);
      file.put(photos[0]);
      file.u32(large);
      file.put(photos[1]);
      file.hole(large - photos[1].length);
      file.u32(photos[2].length);
      file.put(photos[2]);
      assertThat(file.channel().position()).isEqualTo(end);
    }
    Files.writeString(
        set.resolve("index.json"),
        """
        {"version": 2, "shards": [{"version": 2, "format": "mds", "column_names": ["image"],
         "column_encodings": ["jpeg"], "column_sizes": [null], "compression": null, "hashes": [],
         "raw_data": {"basename": "shard.00000.mds", "bytes": %d, "hashes": {}}, "samples": 3,
         "zip_data": null}]}
        """
            .formatted(end));
  }

  /// The second of three images has two parts of 1.2 GB.
  private static void pcr(Path set) throws IOException {
    long large = 1_200_000_000L;
    byte[] metadata = {0x08, 0, 0x08, 0, 0x08, 0, 0x10, 2, 0x18, 1};
    long[] lengths = {metadata.length, 0, 0};
    try (Sparse file = Sparse.at(set.resolve("PCR_0.pcr"))) {
      file.put(metadata);
      for (int group = 1; group <= 2; group++) {
        long start = file.channel().position();
        part(file, photo(0), 0);
        part(file, new byte[0], large);
        part(file, photo(2), 0);
        lengths[group] = file.channel().position() - start;
      }
    }
    var record = new ByteArrayOutputStream();
    record.writeBytes(new byte[] {0x0a, 9});
    record.writeBytes(utf8("PCR_0.pcr"));
    for (long length : lengths) {
      record.write(0x10);
      record.writeBytes(varint(length));
    }
    var index = new ByteArrayOutputStream();
    index.write(0x0a);
    index.writeBytes(varint(record.size()));
    index.writeBytes(record.toByteArray());
    Files.write(set.resolve("PCR_index.pb"), index.toByteArray());
  }

  private static void part(Sparse file, byte[] bytes, long hole) throws IOException {
    file.put(new byte[] {0x0a});
    file.put(varint(bytes.length + hole));
    file.put(bytes);
    file.hole(hole);
  }

  private static byte[] varint(long value) {
    var out = new ByteArrayOutputStream();
    for (long left = value; ; left >>>= 7) {
      boolean more = left >>> 7 != 0;
      out.write((int) (left & 0x7f) | (more ? 0x80 : 0));
      if (!more) {
        return out.toByteArray();
      }
    }
  }

  /// A shard of three photos, the blob of the last one made larger.
  private void race(Path set) throws IOException {
    Path few = Photos.few(dir.resolve("few"), 1, 3);
    Path small = dir.resolve("small");
    assertThat(run("convert", few, small, "--shards", 1, "--format", "race").code()).isZero();
    ByteBuffer shard =
        ByteBuffer.wrap(Files.readAllBytes(small.resolve("data-00000-of-00001.race")))
            .order(ByteOrder.LITTLE_ENDIAN);
    int trailer = shard.capacity() - 48;
    int index = (int) shard.getLong(trailer);
    int n = 3;
    int lengths = index + 24 + 24 + (4 + 8 + 4 + 4 + 4) * n;
    shard.putLong(index + 24 + 8, shard.getLong(index + 24 + 8) + LARGE);
    shard.putInt(lengths + 8, (int) (shard.getInt(lengths + 8) + LARGE));
    shard.putLong(trailer, index + LARGE);
    shard.putInt(trailer + 24, crc(shard.array(), index, trailer));
    shard.putInt(trailer + 36, crc(shard.array(), trailer, trailer + 36));
    try (Sparse file = Sparse.at(set.resolve("a.race"))) {
      file.put(java.util.Arrays.copyOf(shard.array(), index));
      file.hole(LARGE);
      file.put(java.util.Arrays.copyOfRange(shard.array(), index, shard.capacity()));
    }
  }

  private static int crc(byte[] bytes, int from, int to) {
    var crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"folder", "tar", "tfrecord", "mds", "pcr", "race"})
  void theLargeSampleIsALimitFaultAndTheOthersAreThere(String container) throws IOException {
    Path set = set(container);
    Ran verify = run("verify", set);
    assertThat(verify.code()).describedAs("%s", verify).isEqualTo(Exit.BAD_DATA);
    assertThat(verify.out()).contains("2 samples sound", "1 faults", "LIMIT: ");
    Ran inspect = run("inspect", set);
    assertThat(inspect.code()).describedAs("%s", inspect).isEqualTo(Exit.BAD_DATA);
    assertThat(inspect.out()).contains("3 samples", "broken        1", "LIMIT: ");
    Ran load = run("load", set, "--on-error", "skip", "--batch", 2, "--threads", 1);
    assertThat(load.code()).describedAs("%s", load).isEqualTo(Exit.BAD_DATA);
    assertThat(load.out()).contains("2 delivered, 1 skipped", "LIMIT: ");
    Ran fails = run("load", set, "--batch", 2, "--threads", 1);
    assertThat(fails.code()).isEqualTo(Exit.BAD_DATA);
    assertThat(fails.err()).contains("LIMIT: ").doesNotContain("HEADRACE_TRACE");
    Ran convert =
        run(
            "convert",
            set,
            dir.resolve("out"),
            "--on-error",
            "skip",
            "--shards",
            1,
            "--threads",
            1);
    assertThat(convert.code()).describedAs("%s", convert).isEqualTo(Exit.BAD_DATA);
    assertThat(convert.out()).contains("LIMIT: ");
    Ran again = run("verify", dir.resolve("out"));
    assertThat(again.out()).contains("2 samples sound", "no faults");
    Ran diff = run("diff", set, dir.resolve("out"));
    assertThat(diff.code()).isEqualTo(Exit.BAD_DATA);
    assertThat(diff.out()).contains("LIMIT: ");
  }
}
