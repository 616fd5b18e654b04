package io.headrace.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What a consumer gets is what a loader delivers, and nobody waits for ever.
@EnabledOnOs(OS.LINUX)
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ServerTest {
  private static final int COUNT = 62;

  @TempDir private Path dir = Path.of(".");

  private Path socket() {
    return dir.resolve("s");
  }

  /// Pixels, labels, identities, order and digests in Python are those of a loader in this process,
  /// for several epochs, and after a stop in the middle of one.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "random_resized_crop=4,flip,uint8,hwc; 0",
        "random_resized_crop=5,normalize=imagenet,float32,chw; 5",
        "resize=3x3,bfloat16,hwc; 1",
      })
  void pythonGetsWhatALoaderDelivers(String steps, int stop)
      throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), COUNT))) {
      var offer =
          new ServedDataset(dataset, Pipeline.parse(steps), Pictures.options().build(), dir);
      List<String> found;
      try (var engine = new Engine(socket(), offer)) {
        String path = socket().toString();
        found =
            stop == 0
                ? PythonDigests.found(dir.resolve("log"), path, "3")
                : PythonDigests.found(dir.resolve("log"), path, "2", "" + stop);
        assertThat(engine.sound()).isTrue();
      }
      assertThat(found).isEqualTo(PythonDigests.loaded(offer, stop == 0 ? 3 : 2, stop));
      assertThat(found.getFirst()).startsWith("0 0 4 4 ");
    }
    try (Stream<Path> left = Files.list(dir)) {
      assertThat(left.map(f -> f.getFileName().toString())).containsOnly("data", "log");
    }
  }

  /// Loading goes no further ahead than there are slots, however slow the consumer is.
  @Test
  void aSlowConsumerHoldsTheLoaderBack() throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), COUNT));
        var engine = new Engine(socket(), Engine.offer(dataset, dir));
        Peer peer = Peer.greeted(socket())) {
      peer.say("{'type':'epoch','run':1,'number':0}");
      assertThat(peer.hear("started").path("batches").asLong()).isEqualTo(16);
      for (int slot = 0; slot < 3; slot++) {
        assertThat(peer.hear("batch").path("slot").asInt()).isEqualTo(slot);
      }
      assertThat(peer.silent(150)).isTrue();
      peer.say("{'type':'release','run':1,'slot':0}");
      JsonNode next = peer.hear("batch");
      assertThat(next.path("index").asInt()).isEqualTo(3);
      assertThat(next.path("done").asInt()).isEqualTo(16);
      assertThat(peer.silent(50)).isTrue();
      assertThat(engine.sound()).isTrue();
    }
  }

  /// A consumer that leaves in mid-epoch leaves no trace for the next one; while it is there,
  /// others are refused.
  @Test
  void consumersComeOneAfterAnother() throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), COUNT));
        var engine = new Engine(socket(), Engine.offer(dataset, dir))) {
      for (int i = 0; i < 3; i++) {
        try (Peer peer = Peer.greeted(socket())) {
          peer.say("{'type':'epoch','run':1,'number':%d}".formatted(i));
          assertThat(peer.hear("started").path("epoch").asInt()).isEqualTo(i);
          JsonNode _ = peer.hear("batch");
          if (i == 1) {
            try (var second = new Peer(socket())) {
              assertThat(second.hear("error").path("kind").asString()).isEqualTo("busy");
            }
          }
        }
      }
      assertThat(PythonDigests.found(dir.resolve("log"), socket().toString(), "1")).hasSize(16 + 2);
      assertThat(engine.sound()).isTrue();
    }
    assertThat(socket()).doesNotExist();
  }

  /// Asking for an epoch ends the one before and takes all its slots back; what is still said
  /// about it does not matter.
  @Test
  void anEpochEndsTheOneBefore() throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), COUNT));
        var engine = new Engine(socket(), Engine.offer(dataset, dir));
        Peer peer = Peer.greeted(socket())) {
      for (int run = 1; run < 6; run++) {
        peer.say("{'type':'epoch','run':%d,'number':%d}".formatted(run, run));
        JsonNode message = peer.hear();
        while (message.path("run").asInt() < run) {
          message = peer.hear(); // still about the epoch before
        }
        assertThat(message.path("type").asString()).isEqualTo("started");
        for (int slot = 0; slot < 3; slot++) {
          assertThat(peer.hear("batch").path("epoch").asInt()).isEqualTo(run);
        }
        peer.say("{'type':'release','run':%d,'slot':1}".formatted(run - 1));
        assertThat(peer.silent(5)).isTrue();
      }
      assertThat(engine.sound()).isTrue();
    }
  }

  /// A slot that the consumer keeps is not lent again, in any epoch, until it is given back.
  @Test
  void aKeptSlotIsNotFilledAgain() throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), COUNT));
        var engine = new Engine(socket(), Engine.offer(dataset, dir));
        Peer peer = Peer.greeted(socket())) {
      peer.say("{'type':'epoch','run':1,'number':0}");
      JsonNode _ = peer.hear("started");
      for (int batch = 0; batch < 3; batch++) {
        JsonNode _ = peer.hear("batch");
      }
      for (int slot = 0; slot < 2; slot++) {
        peer.say("{'type':'release','run':1,'slot':%d}".formatted(slot));
        JsonNode _ = peer.hear("batch"); // 2 is kept, and out of turn
      }
      for (int run = 2; run < 5; run++) {
        peer.say("{'type':'epoch','run':%d,'number':%d,'kept':[2]}".formatted(run, run));
        assertThat(peer.hear("started").path("run").asInt()).isEqualTo(run);
        for (int batch = 0; batch < 16; batch++) {
          JsonNode found = peer.hear("batch");
          int slot = found.path("slot").asInt();
          assertThat(found.path("index").asInt()).isEqualTo(batch);
          assertThat(slot).isNotEqualTo(2);
          peer.say("{'type':'release','run':%d,'slot':%d}".formatted(run, slot));
        }
        JsonNode _ = peer.hear("end");
      }
      peer.say("{'type':'release','run':1,'slot':2}");
      peer.say("{'type':'epoch','run':5,'number':0}");
      JsonNode _ = peer.hear("started");
      Set<Integer> slots = new TreeSet<>();
      for (int batch = 0; batch < 3; batch++) {
        slots.add(peer.hear("batch").path("slot").asInt());
      }
      assertThat(slots).containsExactly(0, 1, 2);
      peer.say("{'type':'epoch','run':6,'number':0,'kept':[3]}");
      assertThat(peer.hear("error").path("message").asString()).contains("slot 3 kept");
      assertThat(engine.failure()).isInstanceOf(ProtocolException.class);
    }
  }

  @Test
  void tooLittleSharedMemoryIsFoundAtTheStart() throws IOException {
    Path memory = Path.of("/dev/shm");
    assertThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), 5))) {
      LoadOptions options =
          LoadOptions.builder().batchSize(1 << 22).prefetch(2).memory(1L << 50).build();
      var offer = new ServedDataset(dataset, Pipeline.train(), options, memory);
      assertThatThrownBy(() -> Server.listen(socket(), offer, () -> {}, _ -> {}))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("needs 5051015757888 bytes")
          .hasMessageMatching(".*available are \\d+ .*--shm.*--batch.*");
      assertThat(socket()).doesNotExist();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "data/class0/00000.ppm"})
  void foldersThatAreNoneAreRefused(String name) throws IOException {
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), 5))) {
      ServedDataset offer = Engine.offer(dataset, dir.resolve(name));
      assertThatThrownBy(() -> Server.listen(socket(), offer, () -> {}, _ -> {}))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void socketsThatAreTakenAreRefused() throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), 5))) {
      ServedDataset offer = Engine.offer(dataset, dir);
      try (var _ = new Engine(socket(), offer)) {
        assertThatThrownBy(() -> Server.listen(socket(), offer, () -> {}, _ -> {}))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining("another server");
      }
      Files.writeString(socket(), "precious");
      assertThatThrownBy(() -> Server.listen(socket(), offer, () -> {}, _ -> {}))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("a file of that name");
      assertThat(socket()).hasContent("precious");
      assertThatThrownBy(
              () -> Server.listen(dir.resolve("x".repeat(120)), offer, () -> {}, _ -> {}))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("107 at most");
    }
  }

  /// A decode worker or reader that dies is an error for the consumer, at once, with its reason;
  /// the consumer may ask for another epoch.
  @Test
  void aWorkerThatDiesIsAnError() throws IOException, InterruptedException {
    try (Dataset whole = Datasets.open(Pictures.folder(dir.resolve("data"), COUNT));
        var engine =
            new Engine(socket(), Engine.offer(new Watched(whole, 13, new AtomicLong()), dir))) {
      try (Peer peer = Peer.greeted(socket())) {
        for (int run = 1; run < 3; run++) {
          peer.say("{'type':'epoch','run':%d,'number':0}".formatted(run));
          JsonNode _ = peer.hear("started");
          JsonNode error = peer.hear();
          while (!error.path("slot").isMissingNode()) {
            int slot = error.path("slot").asInt();
            peer.say("{'type':'release','run':%d,'slot':%d}".formatted(run, slot));
            error = peer.hear();
          }
          assertThat(error.path("kind").asString()).isEqualTo("failed");
          assertThat(error.path("run").asInt()).isEqualTo(run);
          assertThat(error.path("message").asString()).contains("on purpose");
        }
      }
      assertThat(engine.failure()).isInstanceOf(IllegalStateException.class);
    }
  }

  /// Whatever a peer says that makes no sense is answered in words, and the next one is served.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "not JSON; what?",
        "not a JSON object; [1]",
        "a message of 2147483647 bytes; LONG",
        "a message of 4294967295 bytes; NEGATIVE",
        "the connection ended within a message; CUT",
        "expected release or epoch; {'type':'hello'}",
        "expected release or epoch; {}",
        "run of a message 'epoch'; {'type':'epoch','number':3}",
        "number of a message 'epoch'; {'type':'epoch','run':1,'number':-1}",
        "slot 7 released; {'type':'release','run':0,'slot':7}",
        "slot 2147483648 released; {'type':'release','run':0,'slot':2147483648}",
        "run 0 after run 0; {'type':'epoch','run':0,'number':3}",
      })
  void nonsenseIsAnswered(String answer, String said) throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), 9));
        var engine = new Engine(socket(), Engine.offer(dataset, dir))) {
      try (Peer peer = Peer.greeted(socket())) {
        peer.say("{'type':'epoch','run':0,'number':0}");
        for (String type : List.of("started", "batch", "batch", "batch")) {
          JsonNode _ = peer.hear(type);
        }
        peer.say("{'type':'release','run':0,'slot':1}");
        JsonNode _ = peer.hear("end");
        switch (said) {
          case "LONG" -> peer.raw(Integer.MAX_VALUE, new byte[9]);
          case "NEGATIVE" -> peer.raw(-1, new byte[0]);
          case "CUT" -> peer.cut(new byte[100]);
          default -> peer.say(said);
        }
        JsonNode error = peer.hear("error");
        assertThat(error.path("kind").asString()).isEqualTo("protocol");
        assertThat(error.path("message").asString()).contains(answer);
        assertThatThrownBy(() -> peer.hear("batch")).isInstanceOf(IOException.class);
      }
      assertThat(engine.failure()).isInstanceOf(ProtocolException.class);
      try (Peer peer = Peer.greeted(socket())) {
        peer.say("{'type':'epoch','run':0,'number':0}");
        JsonNode _ = peer.hear("started");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"9,protocol 9", "-1,whole number"})
  void otherProtocolsAreRefused(String version, String answer)
      throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), 9));
        var engine = new Engine(socket(), Engine.offer(dataset, dir));
        var peer = new Peer(socket())) {
      peer.say("{'type':'hello','protocol':%s}".formatted(version));
      assertThat(peer.hear("error").path("message").asString()).contains(answer);
      assertThat(engine.failure()).isInstanceOf(ProtocolException.class);
    }
  }

  /// A state that is none, or of something else, fails the epoch and not the consumer.
  @Test
  void statesThatDoNotFitAreErrorsOfTheEpoch() throws IOException, InterruptedException {
    try (Dataset dataset = Datasets.open(Pictures.folder(dir.resolve("data"), 9));
        var engine = new Engine(socket(), Engine.offer(dataset, dir));
        Peer peer = Peer.greeted(socket())) {
      peer.say("{'type':'epoch','run':3,'state':'no state'}");
      JsonNode error = peer.hear("error");
      assertThat(error.path("kind").asString()).isEqualTo("config");
      assertThat(error.path("run").asInt()).isEqualTo(3);
      peer.say("{'type':'epoch','run':4,'number':5}");
      JsonNode started = peer.hear("started");
      assertThat(started.path("state").asString()).contains("\"epoch\":5", "\"done\":0");
      assertThat(engine.sound()).isTrue();
    }
  }
}
