package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.testkit.Photos;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Law: what is odd about a dataset is said once by every command that reads it, however late it is
/// found, and stands in the JSON too.
final class WarningsTest {
  @TempDir private Path dir = Path.of(".");

  private record Ran(int code, String out, String err) {
    List<String> warnings() {
      return err.lines().filter(line -> line.startsWith("warning: ")).toList();
    }
  }

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

  private static byte[] photo(int number) throws IOException {
    return Files.readAllBytes(Photos.sorted(Photos.sorted(Photos.folder()).getFirst()).get(number));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] member(String name, byte[] data) {
    byte[] header = new byte[512];
    System.arraycopy(utf8(name), 0, header, 0, name.length());
    System.arraycopy(utf8("%011o".formatted(data.length)), 0, header, 124, 11);
    System.arraycopy(utf8("        0"), 0, header, 148, 9);
    System.arraycopy(utf8("ustar\00000"), 0, header, 257, 8);
    int sum = 0;
    for (byte b : header) {
      sum += b;
    }
    System.arraycopy(utf8("%06o\0".formatted(sum)), 0, header, 148, 7);
    return ByteBuffer.allocate(512 + (data.length + 511) / 512 * 512).put(header).put(data).array();
  }

  private static byte[] tar(byte[]... members) {
    var out = new ByteArrayOutputStream();
    for (byte[] member : members) {
      out.writeBytes(member);
    }
    return out.toByteArray();
  }

  /// Makes a set that has samples, all sound, and something odd about it.
  ///
  /// @return what the warning says
  private String odd(String what, Path set) throws IOException {
    return switch (what) {
      case "tar without labels" -> {
        Files.write(
            set.resolve("a.tar"),
            tar(member("1.jpg", photo(0)), member("2.jpg", photo(1)), new byte[1024]));
        yield "2 samples have no label: no .cls member, such as 1 in";
      }
      case "tar without an end" -> {
        Files.write(
            set.resolve("a.tar"),
            tar(
                member("1.jpg", photo(0)),
                member("1.cls", utf8("0")),
                member("2.jpg", photo(1)),
                member("2.cls", utf8("0"))));
        yield "1 archives have no end-of-archive mark and may have been cut, such as";
      }
      case "tar with members left out" -> {
        Files.write(
            set.resolve("a.tar"),
            tar(
                member("README", utf8("x")),
                member("1.jpg", photo(0)),
                member("1.cls", utf8("0")),
                new byte[1024]));
        yield "1 members left out whose names give no key, such as README";
      }
      case "tar of zeros" -> {
        Files.write(
            set.resolve("a.tar"),
            tar(member("1.jpg", photo(0)), member("1.cls", utf8("0")), new byte[1024]));
        Files.write(set.resolve("b.tar"), new byte[10240]);
        yield "1 archives hold no sample, such as";
      }
      case "compressed tar without labels" -> {
        try (var out = new GZIPOutputStream(Files.newOutputStream(set.resolve("a.tar.gz")))) {
          out.write(tar(member("1.jpg", photo(0)), new byte[1024]));
        }
        yield "1 samples have no label: no .cls member, such as 1 in";
      }
      case "folder" -> {
        Photos.few(set, 1, 2);
        Files.writeString(Photos.sorted(set).getFirst().resolve("readme.txt"), "hello");
        yield "left out: 1 file that is no picture (.txt)";
      }
      case "tfrecord" -> {
        convert(set, "tfrecord");
        Files.write(set.resolve("more.tfrecord"), new byte[0]);
        Files.delete(set.resolve("dataset.json"));
        yield "more.tfrecord is empty: no records";
      }
      case "pcr" -> {
        convert(set, "pcr");
        Files.delete(set.resolve("dataset.json"));
        Files.write(set.resolve("PCR_77.pcr"), new byte[0]);
        yield "1 records are not in the index and are left out, such as PCR_77.pcr";
      }
      case "mds" -> {
        mds(set);
        yield "columns kept as the bytes they are stored as: tokens";
      }
      case "parquet" -> {
        Path file =
            Path.of(
                System.getProperty("headrace.root", ".."),
                "interop/src/test/resources/parquet/plain/none.parquet");
        Files.copy(file, set.resolve("none.parquet"), StandardCopyOption.REPLACE_EXISTING);
        yield "columns left out, since they are maps or of a type that is not kept: when";
      }
      default -> throw new AssertionError(what);
    };
  }

  private void convert(Path set, String format) {
    Path few = Photos.few(dir.resolve("few"), 1, 2);
    assertThat(run("convert", few, set, "--shards", 1, "--format", format).code()).isZero();
  }

  private static void mds(Path set) throws IOException {
    byte[] photo = photo(0);
    int first = 4 * 3;
    int bytes = first + 8 + photo.length + 4;
    ByteBuffer shard = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    shard.putInt(1).putInt(first).putInt(bytes).putInt(photo.length).putInt(4).put(photo).putInt(7);
    Files.write(set.resolve("shard.00000.mds"), shard.array());
    Files.writeString(
        set.resolve("index.json"),
        """
        {"version": 2, "shards": [{"version": 2, "format": "mds", "samples": 1,
         "column_names": ["image", "tokens"], "column_encodings": ["jpeg", "made_up"],
         "column_sizes": [null, null], "compression": null, "hashes": [], "zip_data": null,
         "raw_data": {"basename": "shard.00000.mds", "bytes": %d, "hashes": {}}}]}
        """
            .formatted(bytes));
  }

  private Path made() throws IOException {
    return Files.createDirectories(dir.resolve("set"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tar without labels",
        "tar without an end",
        "tar with members left out",
        "tar of zeros",
        "compressed tar without labels",
        "folder",
        "tfrecord",
        "pcr",
        "mds",
        "parquet"
      })
  void everyCommandSaysItOnce(String what) throws Exception {
    Path set = made();
    String warning = odd(what, set);
    List<List<Object>> commands = new ArrayList<>();
    commands.add(List.of("inspect", set));
    commands.add(List.of("inspect", set, "--json"));
    commands.add(List.of("verify", set));
    commands.add(List.of("verify", set, "--json"));
    commands.add(List.of("load", set, "--batch", 2, "--threads", 1));
    commands.add(List.of("load", set, "--batch", 2, "--threads", 1, "--json"));
    commands.add(List.of("load", set, "--explain"));
    commands.add(List.of("convert", set, dir.resolve("dry"), "--dry-run", "--json"));
    commands.add(List.of("convert", set, dir.resolve("out"), "--shards", 1));
    commands.add(List.of("convert", set, dir.resolve("out2"), "--shards", 1, "--json"));
    commands.add(List.of("diff", set, dir.resolve("out")));
    commands.add(List.of("diff", dir.resolve("out"), set, "--json"));
    commands.add(List.of("extract", set, "--index", 0, "--output", dir.resolve("x.jpg")));
    for (List<Object> command : commands) {
      Ran ran = run(command.toArray());
      assertThat(ran.code()).describedAs("%s: %s", command, ran).isZero();
      assertThat(ran.warnings().stream().filter(line -> line.contains(warning)))
          .describedAs("%s: %s", command, ran.err())
          .hasSize(1);
      if (command.contains("--json")) {
        JsonNode json = JsonMapper.builder().build().readTree(ran.out());
        JsonNode report = json.isArray() ? json.get(0) : json;
        assertThat(report.path("warnings").toString()).contains(warning);
      }
    }
  }

  @Test
  void tuneSaysItOnce() throws Exception {
    Path set = made();
    String warning = odd("tar without labels", set);
    Ran ran =
        run(
            "tune",
            set,
            "--candidate",
            "race none keep",
            "--samples",
            1,
            "--repeats",
            1,
            "--seconds",
            0,
            "--out",
            dir.resolve("p"));
    assertThat(ran.warnings().stream().filter(line -> line.contains(warning)))
        .describedAs("%s", ran)
        .hasSize(1);
  }

  /// A server lives long: it says what the index tells before it waits for a consumer.
  @Test
  void serveSaysItBeforeItWaits() throws Exception {
    Path set = made();
    String warning = odd("tar without labels", set);
    var err = new StringWriter();
    Thread server =
        new Thread(
            () -> {
              int _ =
                  Main.commandLine()
                      .setErr(new PrintWriter(err))
                      .execute("serve", set.toString(), "--socket", dir.resolve("s").toString());
            });
    server.start();
    while (server.isAlive() && !err.toString().contains("waiting for a consumer")) {
      Thread.sleep(10);
    }
    server.interrupt();
    server.join();
    assertThat(err.toString().lines().filter(line -> line.contains(warning))).hasSize(1);
    assertThat(err.toString().indexOf(warning))
        .isLessThan(err.toString().indexOf("waiting for a consumer"));
  }

  /// Commands that fail say it too, the demo among them, which takes long where it does not.
  @ParameterizedTest
  @ValueSource(strings = {"load", "demo"})
  void aFailedCommandSaysItToo(String command) throws Exception {
    Path set = made();
    Files.write(
        set.resolve("a.tar"),
        tar(
            member("README", utf8("x")),
            member("1.jpg", Arrays.copyOf(photo(1), 4)),
            new byte[1024]));
    Ran ran =
        command.equals("load")
            ? run("load", set, "--batch", 1, "--threads", 1)
            : run("demo", "--data", set, "--out", dir.resolve("demo"));
    assertThat(ran.code()).describedAs("%s", ran).isIn(Exit.BAD_DATA, Exit.USAGE);
    assertThat(ran.warnings().stream().filter(line -> line.contains("README"))).hasSize(1);
  }
}
