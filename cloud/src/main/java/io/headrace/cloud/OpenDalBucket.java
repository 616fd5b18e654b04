package io.headrace.cloud;

import io.headrace.format.Manifest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.opendal.Metadata;
import org.apache.opendal.OpenDALException;
import org.apache.opendal.Operator;
import org.apache.opendal.WriteOptions;
import org.jspecify.annotations.Nullable;

/// A bucket by Apache OpenDAL, which repeats what fails. Its Java binding sends no condition with a
/// read: so the ETag is asked for again when an object is read that was not asked about for a
/// while.
final class OpenDalBucket implements Bucket {
  private static final long ASK_AGAIN_NANOS = 10_000_000_000L;

  /// Bytes of one part of an upload.
  private static final int PART = 16 << 20;

  private final String address;
  private final Operator operator;
  private final Network network;
  private final Gate gate = new Gate();

  /// When each object's ETag was last compared.
  private final ConcurrentHashMap<String, Long> compared = new ConcurrentHashMap<>();

  OpenDalBucket(String address, Operator operator, Network network) {
    this.address = address;
    this.operator = operator;
    this.network = network;
  }

  private interface Call<T> {
    T run() throws IOException;
  }

  private <T> T call(String key, Call<T> call) throws IOException {
    gate.enter();
    boolean well = false;
    network.request();
    try {
      T answer = call.run();
      well = true;
      return answer;
    } catch (OpenDALException e) {
      if (e.getCode() == OpenDALException.Code.RateLimited) {
        gate.slower();
      }
      throw failure(key, e);
    } finally {
      gate.leave(well);
    }
  }

  private String at(String key) {
    return address + "/" + key;
  }

  private IOException failure(String key, OpenDALException e) {
    IOException failure =
        switch (e.getCode()) {
          case NotFound -> new NoSuchFileException(at(key), null, "no such object");
          case PermissionDenied ->
              new AccessDeniedException(
                  at(key), null, "the server refuses access: look at credentials and rights");
          case AlreadyExists, ConditionNotMatch -> new FileAlreadyExistsException(at(key));
          default ->
              new IOException("%s: %s".formatted(at(key), plain(String.valueOf(e.getMessage()))));
        };
    if (!(failure instanceof NoSuchFileException)) {
      failure.addSuppressed(new IOException(e.getCode().name()));
    }
    return failure;
  }

  /// {@return what OpenDAL says, in a line, without queries of addresses, which may hold secrets}
  static String plain(String message) {
    String source = message.replaceAll("(?s)Backtrace:.*", "").replaceAll("(?s).*Source:", "");
    String line = source.strip().lines().findFirst().orElse("").strip();
    return line.replaceAll("\\?[^\\s)]*", "");
  }

  private boolean lists() {
    return operator.info.fullCapability.list;
  }

  @Override
  public @Nullable Found stat(String key) throws IOException {
    String name = CloudFileSystem.name(key);
    if (!lists() && !name.contains(".") && holds(key + "/")) {
      return Found.folder(name); // servers answer with a page in its place
    }
    try {
      Metadata metadata = call(key, () -> operator.stat(key));
      return metadata.isFile() ? found(name, metadata) : null;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static Found found(String name, Metadata metadata) {
    String etag = metadata.getEtag();
    var modified = metadata.getLastModified();
    return new Found(
        name,
        Math.max(0, metadata.getContentLength()),
        etag == null ? "" : etag.replace("\"", ""),
        modified == null ? 0 : modified.toEpochMilli(),
        false,
        System.nanoTime());
  }

  /// {@return whether there is a folder: where none can be listed, whether a dataset is in it}
  @Override
  public boolean holds(String prefix) throws IOException {
    if (!lists()) {
      return stat(prefix + Manifest.FILE) != null;
    }
    try {
      return call(prefix, () -> operator.list(prefix)).stream()
          .anyMatch(entry -> !entry.getPath().equals(prefix));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void list(String prefix, Consumer<Found> to) throws IOException {
    if (!lists()) {
      throw new IOException(
          "%s: a web server lists no folders: name a file, or a folder with %s in it"
              .formatted(at(prefix), Manifest.FILE));
    }
    String folder = prefix.isEmpty() ? "/" : prefix;
    for (var entry : call(prefix, () -> operator.list(folder))) {
      String path = entry.getPath();
      if (path.length() <= prefix.length() || path.equals("/")) {
        continue;
      }
      String inside = path.substring(prefix.length());
      if (inside.endsWith("/")) {
        to.accept(Found.folder(inside.substring(0, inside.length() - 1)));
      } else {
        Metadata known = entry.getMetadata();
        boolean told = known.getContentLength() > 0 || known.getEtag() != null;
        to.accept(found(inside, told ? known : call(path, () -> operator.stat(path))));
      }
    }
  }

  @Override
  public void read(String key, Found known, long position, ByteBuffer into) throws IOException {
    int length = into.remaining();
    if (length == 0) {
      return;
    }
    byte[] bytes;
    try {
      compare(key, known);
      bytes = call(key, () -> operator.read(key, position, length));
    } catch (NoSuchFileException e) {
      throw new ChangedObjectException(at(key), known.etag(), "deleted");
    } catch (IOException e) {
      compared.remove(key);
      compare(key, known);
      throw e;
    }
    if (bytes.length != length) {
      compared.remove(key);
      compare(key, known);
      throw new IOException(
          "%s: asked for %d bytes at %d, the server sends %d"
              .formatted(at(key), length, position, bytes.length));
    }
    network.received(length);
    into.put(bytes);
  }

  /// Compares an object with what was listed, unless that was done a short while ago.
  private void compare(String key, Found known) throws IOException {
    long now = System.nanoTime();
    long last = Math.max(known.asked(), compared.getOrDefault(key, known.asked()));
    if (now - last < ASK_AGAIN_NANOS && (compared.containsKey(key) || last == known.asked())) {
      return;
    }
    Found found = stat(key);
    if (found == null || found.size() != known.size() || !found.etag().equals(known.etag())) {
      throw new ChangedObjectException(
          at(key), known.etag(), found == null ? "deleted" : found.etag());
    }
    compared.put(key, now);
  }

  @Override
  public void put(String key, Path file, boolean create) throws IOException {
    if (create && stat(key) != null) {
      throw new FileAlreadyExistsException(at(key));
    }
    if (Files.size(file) <= PART) {
      byte[] bytes = Files.readAllBytes(file);
      boolean conditional = create && operator.info.fullCapability.writeWithIfNotExists;
      var options = WriteOptions.builder().ifNotExists(conditional).build();
      boolean _ =
          call(
              key,
              () -> {
                operator.write(key, bytes, options);
                return true;
              });
      return;
    }
    boolean _ =
        call(
            key,
            () -> {
              // closed only when all is written: closing makes the object
              var out = operator.createOutputStream(key, PART);
              try (InputStream in = Files.newInputStream(file)) {
                in.transferTo(out);
              }
              out.close();
              return true;
            });
  }

  @Override
  public void copy(Found from, String fromKey, String toKey) throws IOException {
    if (operator.info.fullCapability.copy) {
      boolean _ =
          call(
              toKey,
              () -> {
                operator.copy(fromKey, toKey);
                return true;
              });
      return;
    }
    Path spool = Files.createTempFile("headrace-copy", null);
    try {
      try (var out = Files.newByteChannel(spool, java.nio.file.StandardOpenOption.WRITE)) {
        for (long at = 0; at < from.size(); at += PART) {
          ByteBuffer part = ByteBuffer.allocate((int) Math.min(PART, from.size() - at));
          read(fromKey, from, at, part);
          out.write(part.flip());
        }
      }
      put(toKey, spool, false);
    } finally {
      Files.deleteIfExists(spool);
    }
  }

  @Override
  public void delete(String key) throws IOException {
    boolean _ =
        call(
            key,
            () -> {
              operator.delete(key);
              return true;
            });
  }

  /// Does nothing: OpenDAL cannot list unfinished uploads, which these stores drop by themselves.
  @Override
  public int dropUploads(String prefix) {
    return 0;
  }
}
