package io.headrace.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.Converter;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.store.Places;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Datasets of a hub, here a small one with faults. `huggingface_hub` 2.4 takes such answers: its
/// lists come in pages, and large files lie at an address of another host.
final class HubTest {
  private static final Path PHOTOS =
      Path.of(System.getProperty("headrace.root", "..")).resolve("samples/photos/bird");
  private static final int PAGE = 3;

  private static HttpServer server;

  /// Files by commit, and commits by branch: `OWNER/NAME COMMIT PATH`.
  private static final ConcurrentSkipListMap<String, byte[]> FILES = new ConcurrentSkipListMap<>();

  private static final Map<String, String> BRANCHES = new ConcurrentHashMap<>();
  private static final List<String> LOG = new CopyOnWriteArrayList<>();

  /// Hosts that were asked, each with what was said to it.
  private static final List<String> TOKENS = new CopyOnWriteArrayList<>();

  /// Names of today by those of before.
  private static final Map<String, String> MOVED = new ConcurrentHashMap<>();

  /// Answers with this status as often as is left.
  private static volatile int fault;

  private static volatile String faultCode = "";
  private static final AtomicInteger FAULTS = new AtomicInteger();

  private String name = "";

  @BeforeAll
  static void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", HubTest::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    System.setProperty("headrace.hub", "http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterAll
  static void stop() {
    System.clearProperty("headrace.hub");
    server.stop(0);
  }

  @BeforeEach
  void newRepository(TestInfo test) {
    name = "me/" + test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    BRANCHES.put(name + " main", "c1");
    FAULTS.set(0);
    faultCode = "";
    LOG.clear();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String range = exchange.getRequestHeaders().getFirst("Range");
      LOG.add(path + (range == null ? "" : " " + range));
      String host = exchange.getRequestHeaders().getFirst("Host").replaceAll(":.*", "");
      TOKENS.add(host + " " + exchange.getRequestHeaders().getFirst("Authorization"));
      for (Map.Entry<String, String> moved : MOVED.entrySet()) {
        if (path.contains(moved.getKey() + "/")) {
          String now = path.replace(moved.getKey(), moved.getValue());
          exchange.getResponseHeaders().set("Location", now);
          say(exchange, 307, new byte[0]);
          return;
        }
      }
      if (FAULTS.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        exchange.getResponseHeaders().set("X-Error-Code", faultCode);
        say(exchange, fault, new byte[0]);
      } else if (path.startsWith("/api/datasets/")) {
        api(exchange, path.substring("/api/datasets/".length()).split("/", 5));
      } else {
        file(exchange, path.substring("/datasets/".length()).split("/", 5), range);
      }
    }
  }

  private static void api(HttpExchange exchange, String[] call) throws IOException {
    String repository = call[0] + "/" + call[1];
    String at = repository + " " + call[3] + " ";
    switch (call[2]) {
      case "revision" -> {
        String commit = BRANCHES.get(repository + " " + call[3]);
        if (commit == null) {
          exchange.getResponseHeaders().set("X-Error-Code", "RevisionNotFound");
        }
        say(exchange, commit == null ? 404 : 200, "{\"sha\":\"" + commit + "\"}");
      }
      case "paths-info" -> {
        String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = asked.replaceAll(".*\\[\"(.*)\"].*", "$1");
        byte[] bytes = FILES.get(at + path);
        say(exchange, 200, bytes == null ? "[]" : "[" + file(path, bytes) + "]");
      }
      default -> {
        String folder = at + (call.length < 5 ? "" : call[4] + "/");
        var members = new TreeMap<String, String>();
        FILES
            .tailMap(folder, true)
            .headMap(folder + "\uffff")
            .forEach(
                (key, bytes) -> {
                  String inside = key.substring(folder.length());
                  int slash = inside.indexOf('/');
                  String path = key.substring(at.length(), key.length() - inside.length());
                  if (slash < 0) {
                    members.put(inside, file(path + inside, bytes));
                  } else {
                    String member = inside.substring(0, slash);
                    members.put(
                        member,
                        "{\"type\":\"directory\",\"path\":\"%s%s\"}".formatted(path, member));
                  }
                });
        String query = exchange.getRequestURI().getQuery();
        int from =
            query.contains("cursor=") ? Integer.parseInt(query.replaceAll(".*cursor=", "")) : 0;
        List<String> rest = members.values().stream().skip(from).toList();
        if (rest.size() > PAGE) {
          String next = exchange.getRequestURI().getRawPath() + "?cursor=" + (from + PAGE);
          exchange.getResponseHeaders().set("Link", "<%s>; rel=\"next\"".formatted(next));
        }
        boolean none = members.isEmpty() && call.length == 5;
        String page = String.join(",", rest.subList(0, Math.min(PAGE, rest.size())));
        say(exchange, none ? 404 : 200, "[" + page + "]");
      }
    }
  }

  private static String file(String path, byte[] bytes) {
    return "{\"type\":\"file\",\"path\":\"%s\",\"size\":%d,\"oid\":\"%d\"}"
        .formatted(path, bytes.length, Arrays.hashCode(bytes));
  }

  /// Large files are somewhere else, where nobody may bring a token.
  private static void file(HttpExchange exchange, String[] call, String range) throws IOException {
    String path = call[4];
    boolean ours = exchange.getRequestHeaders().getFirst("Host").startsWith("127.");
    if (path.endsWith(".race") && ours) {
      String there = "http://localhost:" + server.getAddress().getPort();
      exchange.getResponseHeaders().set("Location", there + exchange.getRequestURI().getRawPath());
      say(exchange, 302, new byte[0]);
      return;
    }
    byte[] bytes = FILES.get("%s/%s %s %s".formatted(call[0], call[1], call[3], path));
    if (bytes == null) {
      say(exchange, 404, new byte[0]);
      return;
    }
    String[] ends = range.substring("bytes=".length()).split("-", 2);
    int to = Math.min(bytes.length, Integer.parseInt(ends[1]) + 1);
    say(exchange, 206, Arrays.copyOfRange(bytes, Integer.parseInt(ends[0]), to));
  }

  private static void say(HttpExchange exchange, int status, String text) throws IOException {
    say(exchange, status, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void say(HttpExchange exchange, int status, byte[] bytes) throws IOException {
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private Path at(String path) {
    return Places.path("hf://datasets/" + name + "/" + path);
  }

  private void put(String commit, String path, byte[] bytes) {
    FILES.put("%s %s %s".formatted(name, commit, path), bytes);
  }

  private void putAll(Path folder, String to) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        put("c1", to + "/" + folder.relativize(file), Files.readAllBytes(file));
      }
    }
  }

  @Test
  void aDatasetIsReadAsFromDisk(@TempDir Path local) throws Exception {
    Path set = local.resolve("set");
    try (Dataset photos = Datasets.open(PHOTOS)) {
      var keep = Representation.of("race", "none", "keep", "keep");
      var _ = new Converter(photos, ConvertOptions.of(set, keep, 5)).run();
    }
    putAll(set, "data/set");
    putAll(PHOTOS, "data/photos");
    try (Dataset there = Datasets.open(at("data/set"));
        Dataset files = Datasets.open(at("data/photos"));
        Dataset here = Datasets.open(set)) {
      assertThat(Verifier.verify(there, true).faults()).isEmpty();
      assertThat(there.setDigest()).isEqualTo(here.setDigest());
      assertThat(files.size()).isEqualTo(here.size()); // which takes many pages
    }
    List<String> shard = LOG.stream().filter(line -> line.contains("00001-of-00005.race")).toList();
    assertThat(shard).hasSizeGreaterThan(2);
    assertThat(shard.getFirst()).isEqualTo(shard.get(1)); // here and there, later only there
    assertThat(new TreeSet<>(shard)).hasSize(shard.size() - 1);
  }

  @Test
  void aBranchThatMovesChangesNothing() throws IOException {
    put("c1", "a.bin", new byte[] {1, 2, 3, 4});
    put("c2", "a.bin", new byte[] {9, 9, 9, 9, 9});
    try (FileChannel file = FileChannel.open(at("a.bin"))) {
      BRANCHES.put(name + " main", "c2");
      ByteBuffer into = ByteBuffer.allocate(2);
      assertThat(file.read(into, 1)).isEqualTo(2);
      assertThat(into.array()).containsExactly(2, 3);
    }
    assertThat(Files.readAllBytes(at("a.bin"))).containsExactly(1, 2, 3, 4);
  }

  /// A repository that has another name now, and a server of another name: that one sees no token.
  @Test
  void whereTheServerSendsToIsFollowed() throws IOException {
    put("c1", "a.bin", new byte[] {1, 2});
    String old = name + "-old";
    MOVED.put(old, name);
    Path file = Places.path("hf://datasets/" + old + "/a.bin");
    assertThat(Files.readAllBytes(file)).containsExactly(1, 2);
    put("c1", "b.race", new byte[] {3});
    TOKENS.clear();
    HubBucket bucket = bucket("secret");
    ByteBuffer into = ByteBuffer.allocate(1);
    bucket.read("b.race", Objects.requireNonNull(bucket.stat("b.race")), 0, into);
    assertThat(into.array()).containsExactly(3);
    assertThat(TOKENS).contains("127.0.0.1 Bearer secret").contains("localhost null");
    assertThat(TOKENS).doesNotContain("localhost Bearer secret");
  }

  private HubBucket bucket(String token) {
    URI root = URI.create("hf://datasets/" + name);
    return new HubBucket(root, System.getProperty("headrace.hub"), token, new Network());
  }

  @ParameterizedTest
  @ValueSource(strings = {"huggingface.co", "https://", "ftp://hub", "https://a b"})
  void anEndpointIsAWebAddress(String hub) {
    URI root = URI.create("hf://datasets/a/b");
    assertThatThrownBy(() -> new HubBucket(root, hub, "", new Network()))
        .isInstanceOf(ConfigException.class)
        .hasMessage("HF_ENDPOINT=" + hub + ": expected an address like https://HOST");
  }

  @Test
  void namesAreEscaped() throws IOException {
    put("c1", "with space/50%+é#.bin", new byte[] {5});
    BRANCHES.put(name + " pr/1", "c1");
    Path folder = Places.path("hf://datasets/" + name + "/with space");
    try (Stream<Path> members = Files.list(folder)) {
      Path only = members.toList().getFirst();
      assertThat(only.getFileName()).hasToString("50%+é#.bin");
      assertThat(Files.readAllBytes(only)).containsExactly(5);
    }
  }

  @ParameterizedTest
  @CsvSource({"429", "500", "503"})
  void whatPassesIsRepeated(int status) throws IOException {
    put("c1", status + ".bin", new byte[] {7});
    fault = status;
    FAULTS.set(3);
    assertThat(Files.readAllBytes(at(status + ".bin"))).containsExactly(7);
    assertThat(FAULTS).hasValue(0);
  }

  @Test
  void whatDoesNotPassIsSaid() {
    put("c1", "a.bin", new byte[] {7});
    fault = 401;
    faultCode = "RepoNotFound";
    FAULTS.set(1);
    assertThatThrownBy(() -> Files.readAllBytes(at("a.bin")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("HF_TOKEN does not let you see it");
    fault = 403;
    faultCode = "GatedRepo";
    FAULTS.set(1);
    assertThatThrownBy(() -> Files.readAllBytes(at("a.bin")))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("accept its terms");
    Path nowhere = Places.path("hf://datasets/" + name + "@v9/a.bin");
    assertThatThrownBy(() -> Files.readAllBytes(nowhere))
        .hasMessageContaining("there is no revision 'v9'");
    assertThatThrownBy(() -> Files.writeString(at("b.txt"), "text"))
        .hasMessageContaining("hubs are only read");
    assertThat(at("none.bin")).doesNotExist();
  }

  /// A "no" would send users looking for a file that is there.
  @Test
  void noAnswerIsNoNo() {
    put("c1", "a.bin", new byte[] {7});
    fault = 418;
    FAULTS.set(1000);
    Path file = at("a.bin");
    assertThatThrownBy(() -> Files.exists(file)).isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> Files.isDirectory(file)).isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> Datasets.open(file))
        .rootCause()
        .hasMessage(
            "hf://datasets/%s: 127.0.0.1:%d answers with status 418",
            name, server.getAddress().getPort());
  }
}
