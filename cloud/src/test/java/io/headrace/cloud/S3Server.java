package io.headrace.cloud;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// As much of an S3 server as tests need, in memory, with faults that are switched on by request.
final class S3Server implements AutoCloseable {
  private static final String DATE = "Sat, 28 Nov 2026 12:00:00 GMT";

  /// What a test does to a request before it is answered.
  interface Fault {
    /// {@return the status to answer with, or 0 to go on}
    int before(HttpExchange exchange) throws IOException;
  }

  final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
  final Map<String, TreeMap<Integer, byte[]>> uploads = new ConcurrentHashMap<>();
  final Map<String, String> uploadKeys = new ConcurrentHashMap<>();

  /// Lines such as `GET bucket/key bytes=0-9`.
  final List<String> log = new ArrayList<>();

  volatile Fault fault = _ -> 0;

  /// Bytes of a body after which the connection is cut, once; -1 for none.
  final AtomicInteger cutAfter = new AtomicInteger(-1);

  /// Ranges that are answered with other bytes than those asked for.
  final AtomicInteger wrongRanges = new AtomicInteger();

  private final HttpServer server;
  private final AtomicInteger names = new AtomicInteger();

  S3Server() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// {@return what was asked for since this was last called}
  List<String> takeLog() {
    synchronized (log) {
      List<String> lines = List.copyOf(log);
      log.clear();
      return lines;
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring(1);
      Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
      String range = exchange.getRequestHeaders().getFirst("Range");
      synchronized (log) {
        log.add(
            "%s %s%s"
                .formatted(exchange.getRequestMethod(), path, range == null ? "" : " " + range));
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      int status = fault.before(exchange);
      if (status != 0) {
        error(exchange, status, status == 503 ? "SlowDown" : "Injected");
        return;
      }
      String encoding = exchange.getRequestHeaders().getFirst("x-amz-content-sha256");
      byte[] content = encoding != null && encoding.startsWith("STREAMING") ? unchunk(body) : body;
      switch (exchange.getRequestMethod()) {
        case "GET" -> {
          if (!path.contains("/") || (path.endsWith("/") && query.containsKey("list-type"))) {
            if (query.containsKey("uploads")) {
              listUploads(exchange, query.getOrDefault("prefix", ""));
            } else {
              list(exchange, path.replace("/", ""), query);
            }
          } else {
            get(exchange, path, range, true);
          }
        }
        case "HEAD" -> get(exchange, path, range, false);
        case "PUT" -> put(exchange, path, query, content);
        case "POST" -> post(exchange, path, query);
        case "DELETE" -> {
          if (query.containsKey("uploadId")) {
            uploads.remove(query.get("uploadId"));
          } else {
            objects.remove(path);
          }
          exchange.sendResponseHeaders(204, -1);
        }
        default -> error(exchange, 405, "MethodNotAllowed");
      }
    }
  }

  private void get(HttpExchange exchange, String path, @Nullable String range, boolean body)
      throws IOException {
    byte[] object = objects.get(path);
    if (object == null) {
      error(exchange, 404, "NoSuchKey");
      return;
    }
    String match = exchange.getRequestHeaders().getFirst("If-Match");
    var headers = exchange.getResponseHeaders();
    headers.set("ETag", etag(object));
    headers.set("Last-Modified", DATE);
    if (match != null && !match.equals(etag(object))) {
      error(exchange, 412, "PreconditionFailed");
      return;
    }
    int from = 0;
    int to = object.length;
    int status = 200;
    if (range != null) {
      String[] ends = range.substring("bytes=".length()).split("-", 2);
      from = Integer.parseInt(ends[0]);
      to = Math.min(object.length, Integer.parseInt(ends[1]) + 1);
      if (wrongRanges.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        from++;
      }
      status = 206;
      headers.set("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, object.length));
    }
    if (!body) {
      headers.set("Content-Length", String.valueOf(to - from));
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, to - from == 0 ? -1 : to - from);
    int cut = cutAfter.getAndSet(-1);
    exchange.getResponseBody().write(object, from, cut < 0 ? to - from : Math.min(cut, to - from));
  }

  private void put(HttpExchange exchange, String path, Map<String, String> query, byte[] content)
      throws IOException {
    String source = exchange.getRequestHeaders().getFirst("x-amz-copy-source");
    if (source != null) {
      String key = URLDecoder.decode(source, StandardCharsets.UTF_8).replaceFirst("^/", "");
      byte[] object = objects.get(key);
      if (object == null) {
        error(exchange, 404, "NoSuchKey");
        return;
      }
      objects.put(path, object);
      xml(exchange, "<CopyObjectResult><ETag>%s</ETag></CopyObjectResult>".formatted(etag(object)));
      return;
    }
    String none = exchange.getRequestHeaders().getFirst("If-None-Match");
    if (query.containsKey("uploadId")) {
      var upload = uploads.get(query.get("uploadId"));
      if (upload == null) {
        error(exchange, 404, "NoSuchUpload");
        return;
      }
      synchronized (upload) {
        upload.put(Integer.parseInt(query.getOrDefault("partNumber", "0")), content);
      }
    } else if (none != null && objects.containsKey(path)) {
      error(exchange, 412, "PreconditionFailed");
      return;
    } else {
      objects.put(path, content);
    }
    exchange.getResponseHeaders().set("ETag", etag(content));
    exchange.sendResponseHeaders(200, -1);
  }

  private void post(HttpExchange exchange, String path, Map<String, String> query)
      throws IOException {
    if (query.containsKey("uploads")) {
      String id = "upload-" + names.incrementAndGet();
      uploads.put(id, new TreeMap<>());
      uploadKeys.put(id, path);
      xml(
          exchange,
          "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>"
              .formatted(id));
      return;
    }
    var upload = uploads.remove(query.getOrDefault("uploadId", ""));
    if (upload == null) {
      error(exchange, 404, "NoSuchUpload");
      return;
    }
    var whole = new ByteArrayOutputStream();
    upload.values().forEach(whole::writeBytes);
    objects.put(path, whole.toByteArray());
    xml(
        exchange,
        "<CompleteMultipartUploadResult><ETag>%s</ETag></CompleteMultipartUploadResult>"
            .formatted(etag(whole.toByteArray())));
  }

  private void listUploads(HttpExchange exchange, String prefix) throws IOException {
    var text = new StringBuilder("<ListMultipartUploadsResult>");
    uploads
        .keySet()
        .forEach(
            id -> {
              String key = uploadKeys.getOrDefault(id, "");
              String inside = key.substring(key.indexOf('/') + 1);
              if (inside.startsWith(prefix)) {
                text.append(
                    "<Upload><Key>%s</Key><UploadId>%s</UploadId></Upload>".formatted(inside, id));
              }
            });
    xml(exchange, text.append("</ListMultipartUploadsResult>").toString());
  }

  private void list(HttpExchange exchange, String bucket, Map<String, String> query)
      throws IOException {
    String prefix = query.getOrDefault("prefix", "");
    int most = Integer.parseInt(query.getOrDefault("max-keys", "1000"));
    String after = query.getOrDefault("continuation-token", "");
    var folders = new TreeSet<String>();
    var text = new StringBuilder();
    int count = 0;
    String last = "";
    boolean more = false;
    for (var entry : objects.tailMap(bucket + "/" + prefix).entrySet()) {
      String key = entry.getKey().substring(bucket.length() + 1);
      if (!entry.getKey().startsWith(bucket + "/" + prefix)) {
        break;
      }
      if (key.compareTo(after) <= 0) {
        continue;
      }
      if (count == most) {
        more = true;
        break;
      }
      int slash = key.indexOf('/', prefix.length());
      if (query.containsKey("delimiter") && slash >= 0) {
        count += folders.add(key.substring(0, slash + 1)) ? 1 : 0;
      } else {
        text.append(
            "<Contents><Key>%s</Key><Size>%d</Size><ETag>%s</ETag><LastModified>2026-11-28T12:00:00.000Z</LastModified></Contents>"
                .formatted(
                    key.replace("&", "&amp;"),
                    entry.getValue().length,
                    etag(entry.getValue()).replace("\"", "&quot;")));
        count++;
      }
      last = key;
    }
    folders.forEach(
        folder ->
            text.append("<CommonPrefixes><Prefix>%s</Prefix></CommonPrefixes>".formatted(folder)));
    xml(
        exchange,
        "<ListBucketResult><KeyCount>%d</KeyCount><IsTruncated>%s</IsTruncated>%s%s</ListBucketResult>"
            .formatted(
                count,
                more,
                more ? "<NextContinuationToken>%s</NextContinuationToken>".formatted(last) : "",
                text));
  }

  private static void xml(HttpExchange exchange, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/xml");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static void error(HttpExchange exchange, int status, String code) throws IOException {
    byte[] bytes =
        "<Error><Code>%s</Code><Message>injected</Message></Error>"
            .formatted(code)
            .getBytes(StandardCharsets.UTF_8);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : bytes.length);
    if (!head) {
      exchange.getResponseBody().write(bytes);
    }
  }

  private static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new HashMap<>();
    for (String pair : raw == null ? new String[0] : raw.split("&")) {
      String[] both = pair.split("=", 2);
      query.put(
          both[0], both.length == 1 ? "" : URLDecoder.decode(both[1], StandardCharsets.UTF_8));
    }
    return query;
  }

  /// {@return a body without the frames of `aws-chunked`}
  private static byte[] unchunk(byte[] body) throws IOException {
    var whole = new ByteArrayOutputStream();
    int at = 0;
    while (at < body.length) {
      int end = at;
      while (body[end] != '\r') {
        end++;
      }
      String head = new String(body, at, end - at, StandardCharsets.US_ASCII);
      int length = Integer.parseInt(head.split(";", 2)[0], 16);
      if (length == 0) {
        break;
      }
      whole.write(body, end + 2, length);
      at = end + 2 + length + 2;
    }
    return whole.toByteArray();
  }

  static String etag(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("MD5").digest(content);
      return '"' + HexFormat.of().formatHex(digest) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
