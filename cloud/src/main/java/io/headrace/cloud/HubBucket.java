package io.headrace.cloud;

import io.headrace.error.ConfigException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// One commit of a repository of the Hugging Face hub, to be read: what its branch was when it was
/// first asked for, so that nothing changes while it is read. The calls are those of
/// `huggingface_hub`: `revision`, `paths-info`, `tree` and `resolve`.
final class HubBucket implements Bucket {
  private static final int ATTEMPTS = 10;
  private static final long SHORTEST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 20_000;
  private static final long MAX_ASKED_MILLIS = 300_000; // the hub counts requests in 5 minutes
  private static final Duration TIMEOUT =
      Duration.ofMillis(Long.getLong("headrace.cloud.timeoutMillis", 30_000));

  /// How long the address that a file was found at is used again: signed ones hold for an hour.
  private static final long PLACE_NANOS = Duration.ofMinutes(10).toNanos();

  private static final int MAX_HOPS = 5;
  private static final List<String> SCHEMES = List.of("http", "https");

  /// Bytes of a page of a list, which has a thousand members.
  private static final long MAX_LIST = 64L << 20;

  private static final long MIN_ANSWER = 1L << 20;
  private static final Pattern NEXT = Pattern.compile("<([^>]+)>\\s*;\\s*rel=\"?next\"?");

  private final String address;
  private final URI api;
  private final URI files;
  private final String branch;
  private final String token;
  private final Network network;
  private final Gate gate = new Gate();
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1) // a connection for each range under way
          .connectTimeout(TIMEOUT)
          .build();
  private final ConcurrentHashMap<String, Place> places = new ConcurrentHashMap<>();
  private volatile @Nullable String commit;

  /// Where the bytes of a file are.
  private record Place(URI at, long since) {}

  /// @param root `hf://KIND/OWNER/NAME`, with `@REVISION` if it is not `main`
  /// @param hub the server's address
  /// @param token empty for none
  HubBucket(URI root, String hub, String token, Network network) {
    address = root.toString();
    this.token = token;
    this.network = network;
    String kind = root.getAuthority();
    String[] repository = root.getPath().substring(1).split("@", 2);
    branch = repository.length > 1 ? repository[1] : "main";
    String base = hub.endsWith("/") ? hub.substring(0, hub.length() - 1) : hub;
    String folder = kind.equals("models") ? "" : kind + "/";
    if (!base.matches("https?://[A-Za-z0-9.:\\[\\]-]+(/[A-Za-z0-9._~/-]*)?")) {
      throw new ConfigException(
          "HF_ENDPOINT=%s: expected an address like https://HOST".formatted(hub));
    }
    api = URI.create("%s/api/%s/%s/".formatted(base, kind, repository[0]));
    files = URI.create("%s/%s%s/resolve/".formatted(base, folder, repository[0]));
  }

  private String at(String key) {
    return key.isEmpty() ? address : address + "/" + key;
  }

  /// {@return a path's parts as an address has them, with its slashes}
  private static String escaped(String key) {
    return URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20").replace("%2F", "/");
  }

  private synchronized String commit() throws IOException { // one for all readers
    String known = commit;
    if (known == null) {
      String name = URLEncoder.encode(branch, StandardCharsets.UTF_8); // it may have slashes
      known =
          parse("", call("", api.resolve("revision/" + name), MAX_LIST, request -> request))
              .path("sha")
              .asString("");
      if (known.isEmpty()) {
        throw new IOException(address + ": the server does not say which commit it has");
      }
      commit = known;
    }
    return known;
  }

  @Override
  public @Nullable Found stat(String key) throws IOException {
    byte[] asked =
        JsonMapper.shared().writeValueAsBytes(Map.of("paths", List.of(key), "expand", false));
    HttpResponse<byte[]> answer =
        call(
            key,
            api.resolve("paths-info/" + commit()),
            MAX_LIST,
            request ->
                request
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(asked)));
    for (JsonNode entry : parse(key, answer)) {
      if (entry.path("path").asString().equals(key) && isFile(entry)) {
        return found(entry, key);
      }
    }
    return null;
  }

  private static boolean isFile(JsonNode entry) {
    return entry.path("type").asString().equals("file");
  }

  private static Found found(JsonNode entry, String key) {
    JsonNode large = entry.path("lfs");
    String content = large.path("oid").asString(entry.path("oid").asString(""));
    long size = large.path("size").asLong(entry.path("size").asLong());
    return new Found(CloudFileSystem.name(key), size, content, 0, false, System.nanoTime());
  }

  @Override
  public boolean holds(String prefix) throws IOException {
    try {
      return !page(prefix, first(prefix)).entries().isEmpty();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void list(String prefix, Consumer<Found> to) throws IOException {
    for (URI next = first(prefix); next != null; ) {
      Page page = page(prefix, next);
      for (JsonNode entry : page.entries()) {
        String key = entry.path("path").asString();
        to.accept(isFile(entry) ? found(entry, key) : Found.folder(CloudFileSystem.name(key)));
      }
      next = page.next();
    }
  }

  /// Some members of a folder, and where the others are.
  private record Page(JsonNode entries, @Nullable URI next) {}

  private URI first(String prefix) throws IOException {
    String folder = prefix.isEmpty() ? "" : "/" + escaped(prefix.substring(0, prefix.length() - 1));
    return api.resolve("tree/" + commit() + folder + "?recursive=false&expand=false");
  }

  private Page page(String prefix, URI at) throws IOException {
    HttpResponse<byte[]> answer = call(prefix, at, MAX_LIST, request -> request);
    String link = answer.headers().firstValue("Link").orElse("");
    Matcher next = NEXT.matcher(link);
    return new Page(
        parse(prefix, answer), next.find() ? resolved(prefix, at, next.group(1)) : null);
  }

  @Override
  public void read(String key, Found known, long position, ByteBuffer into) throws IOException {
    int length = into.remaining();
    if (length == 0) {
      return;
    }
    long end = position + length - 1;
    Place place = places.get(key);
    boolean again = place != null && System.nanoTime() - place.since() < PLACE_NANOS;
    HttpResponse<byte[]> answer;
    try {
      answer = range(key, again && place != null ? place.at() : origin(key), position, end);
    } catch (AccessDeniedException | NoSuchFileException e) {
      places.remove(key);
      if (!again) {
        throw e;
      }
      answer = range(key, origin(key), position, end); // a signed address that no longer holds
    }
    byte[] bytes = answer.body();
    boolean all = answer.statusCode() == 200 && position == 0 && length == known.size();
    if ((answer.statusCode() != 206 && !all) || bytes.length != length) {
      throw new IOException(
          "%s: asked for %d bytes at %d, the server sends %d with status %d"
              .formatted(at(key), length, position, bytes.length, answer.statusCode()));
    }
    network.received(length);
    into.put(bytes);
  }

  private URI origin(String key) throws IOException {
    return files.resolve(commit() + "/" + escaped(key));
  }

  /// Asks for a range, and notes where the file is.
  private HttpResponse<byte[]> range(String key, URI from, long first, long last)
      throws IOException {
    String range = "bytes=" + first + "-" + last;
    long most = Math.max(MIN_ANSWER, last - first + 1); // room for an error's page
    HttpResponse<byte[]> answer = call(key, from, most, request -> request.header("Range", range));
    places.put(key, new Place(answer.uri(), System.nanoTime()));
    return answer;
  }

  private URI resolved(String key, URI at, String address) throws IOException {
    try {
      URI there = at.resolve(address);
      if (there.getHost() != null && SCHEMES.contains(there.getScheme())) {
        return there;
      }
    } catch (IllegalArgumentException e) {
      // no address
    }
    throw new IOException(at(key) + ": the server sends to what is no web address");
  }

  private JsonNode parse(String key, HttpResponse<byte[]> answer) throws IOException {
    try {
      return JsonMapper.shared().readTree(answer.body());
    } catch (JacksonException e) {
      throw new IOException(
          "%s: %s does not answer as a hub does".formatted(at(key), api.getAuthority()), e);
    }
  }

  /// Calls, and follows to where the server sends to.
  ///
  /// @param most bytes of an answer
  /// @param what adds to a request what is asked for
  /// @return an answer of status 2xx
  private HttpResponse<byte[]> call(
      String key, URI from, long most, UnaryOperator<HttpRequest.Builder> what) throws IOException {
    URI at = from;
    for (int hop = 0; hop < MAX_HOPS; hop++) {
      HttpRequest.Builder request = what.apply(HttpRequest.newBuilder(at));
      boolean ours =
          at.getScheme().equals(api.getScheme()) && at.getAuthority().equals(api.getAuthority());
      if (ours && !token.isEmpty()) { // others must not see it
        request.header("Authorization", "Bearer " + token);
      }
      HttpResponse<byte[]> answer = repeated(key, request, most);
      String next = answer.headers().firstValue("Location").orElse("");
      if (answer.statusCode() / 100 != 3 || next.isEmpty()) {
        return answer;
      }
      at = resolved(key, at, next);
    }
    throw new IOException(at(key) + ": the server sends from one address to the next");
  }

  /// Calls, again where it failed in a way that may pass.
  ///
  /// @return an answer of status 2xx or 3xx
  private HttpResponse<byte[]> repeated(String key, HttpRequest.Builder builder, long most)
      throws IOException {
    HttpRequest request = builder.header("User-Agent", "headrace").timeout(TIMEOUT).build();
    for (int attempt = 1; ; attempt++) {
      IOException failure;
      boolean passes = true;
      long asked = 0;
      try {
        HttpResponse<byte[]> answer = once(request, most);
        int status = answer.statusCode();
        if (status < 400) {
          return answer;
        }
        failure = failure(key, answer);
        passes = status == 408 || status == 429 || status >= 500;
        asked = waitOf(answer.headers());
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        passes = !(e instanceof SSLException);
        String said =
            e instanceof ConnectException
                ? "no connection"
                : Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
        String server = request.uri().getAuthority();
        failure = new IOException("%s: no answer from %s: %s".formatted(at(key), server, said), e);
      }
      if (!passes || attempt == ATTEMPTS) {
        throw failure;
      }
      pause(attempt, asked);
    }
  }

  private HttpResponse<byte[]> once(HttpRequest request, long most) throws IOException {
    gate.enter();
    boolean well = false;
    network.request();
    try {
      HttpResponse<byte[]> answer =
          client.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), most));
      int status = answer.statusCode();
      if (status == 429 || status == 503) {
        gate.slower();
      }
      well = status < 400;
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } finally {
      gate.leave(well);
    }
  }

  /// {@return milliseconds that a server asks to be left alone for}
  private static long waitOf(HttpHeaders headers) {
    String seconds = headers.firstValue("Retry-After").orElse("");
    return seconds.matches("[0-9]{1,6}")
        ? Math.min(Long.parseLong(seconds) * 1000, MAX_ASKED_MILLIS)
        : 0;
  }

  /// Waits up to twice as long as the last time, or as long as the server asks for.
  private static void pause(int attempt, long asked) throws IOException {
    long most = Math.min(LONGEST_MILLIS, SHORTEST_MILLIS << attempt);
    try {
      Thread.sleep(Math.max(asked, ThreadLocalRandom.current().nextLong(most / 2, most)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  /// {@return what the hub means by an error: its header says so}
  private IOException failure(String key, HttpResponse<byte[]> answer) {
    String code = answer.headers().firstValue("X-Error-Code").orElse("");
    return switch (code) {
      case "RepoNotFound" ->
          new NoSuchFileException(
              address, null, "there is no such repository, or HF_TOKEN does not let you see it");
      case "RevisionNotFound" ->
          new NoSuchFileException(address, null, "there is no revision '" + branch + "'");
      case "GatedRepo" ->
          new AccessDeniedException(
              address, null, "accept its terms on its page, and set HF_TOKEN to your token");
      default ->
          switch (answer.statusCode()) {
            case 404, 410 -> new NoSuchFileException(at(key), null, "no such file");
            case 401, 403 ->
                new AccessDeniedException(
                    at(key), null, "the server refuses access: look at HF_TOKEN and its rights");
            default ->
                new IOException(
                    "%s: %s answers with status %d%s"
                        .formatted(
                            at(key),
                            api.getAuthority(),
                            answer.statusCode(),
                            code.isEmpty() ? "" : ", " + code));
          };
    };
  }

  @Override
  public void put(String key, Path file, boolean create) throws IOException {
    throw readOnly(key);
  }

  @Override
  public void copy(Found from, String fromKey, String toKey) throws IOException {
    throw readOnly(toKey);
  }

  @Override
  public void delete(String key) throws IOException {
    throw readOnly(key);
  }

  private IOException readOnly(String key) {
    return new IOException(at(key) + ": hubs are only read: write a folder, and upload it");
  }

  @Override
  public int dropUploads(String prefix) {
    return 0;
  }
}
