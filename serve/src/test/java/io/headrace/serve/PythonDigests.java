package io.headrace.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.load.Epoch;
import io.headrace.load.Loader;
import io.headrace.load.LoaderState;
import io.headrace.memory.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Batches as `python/tests/digests.py` prints them: a hash over all that a consumer sees.
final class PythonDigests {
  private PythonDigests() {}

  private static String digest(Batch batch) {
    ByteBuffer columns = ByteBuffer.allocate(16 * batch.size()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < batch.size(); i++) {
      columns.putLong(8 * i, batch.label(i));
      columns.putLong(8 * (batch.size() + i), batch.id(i));
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(batch.data().asByteBuffer());
      digest.update(columns);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static void deliver(Epoch epoch, int most, List<String> lines) throws IOException {
    for (int i = 0; i < most; i++) {
      try (Batch batch = epoch.next()) {
        if (batch == null) {
          break;
        }
        lines.add(
            "%d %d %d %d %s"
                .formatted(
                    batch.epoch(), batch.index(), batch.size(), batch.validCount(), digest(batch)));
      }
    }
  }

  /// {@return what a loader in this process delivers, as digests.py prints it}
  static List<String> loaded(ServedDataset offer, int epochs, int stop) throws IOException {
    List<String> lines = new ArrayList<>();
    try (var loader = new Loader(offer.dataset(), offer.pipeline(), offer.options())) {
      LoaderState state;
      try (Epoch epoch = loader.epoch(0)) {
        deliver(epoch, stop, lines);
        state = epoch.state();
      }
      for (int i = 0; i < epochs; i++) {
        try (Epoch epoch = loader.epoch(state)) {
          deliver(epoch, Integer.MAX_VALUE, lines);
          state = epoch.state();
          lines.add(
              "end %d %s %s"
                  .formatted(
                      state.epoch() - 1,
                      epoch.report().digest(),
                      epoch.verified() ? "True" : "False"));
        }
      }
      lines.add("state " + state.toJson());
    }
    return lines;
  }

  /// {@return what digests.py prints}
  ///
  /// @param log file for what else it says
  static List<String> found(Path log, String... arguments)
      throws IOException, InterruptedException {
    Path tests = Path.of(System.getProperty("headrace.root"), "python", "tests");
    List<String> command =
        new ArrayList<>(List.of("python3", "-B", tests.resolve("digests.py").toString()));
    command.addAll(List.of(arguments));
    Process process;
    try {
      process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    } catch (IOException e) {
      throw new AssertionError("this test needs python3 (3.10 or newer) on PATH", e);
    }
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor()).as(Files.readString(log)).isZero();
    return lines;
  }
}
