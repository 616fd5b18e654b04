package io.headrace.cloud;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A lock that is an object: whoever made it holds it. Its text is the holder's host and process.
final class ObjectLock extends FileLock {
  private final CloudPath path;
  private volatile boolean valid = true;

  private ObjectLock(FileChannel channel, CloudPath path) {
    super(channel, 0, Long.MAX_VALUE, false);
    this.path = path;
  }

  /// {@return the lock, or null if another process of this host holds it}
  ///
  /// @throws IOException if another host does
  static @Nullable ObjectLock take(FileChannel channel, CloudPath path) throws IOException {
    Bucket bucket = path.getFileSystem().bucket();
    String host = InetAddress.getLocalHost().getHostName();
    Path text = Files.createTempFile("headrace-lock", null);
    try {
      Files.writeString(text, host + " " + ProcessHandle.current().pid());
      for (int attempt = 0; attempt < 2; attempt++) {
        try {
          bucket.put(path.key(), text, true);
          path.getFileSystem().changed(path.key());
          return new ObjectLock(channel, path);
        } catch (FileAlreadyExistsException e) {
          Found held = bucket.stat(path.key());
          String[] holder = held == null ? new String[0] : text(bucket, path, held).split(" ", 2);
          if (holder.length == 2 && !holder[0].equals(host)) {
            throw new IOException(
                ("%s is held by process %s of host %s: if that is no more, delete the object and"
                        + " run this again")
                    .formatted(path, holder[1], holder[0]),
                e);
          }
          if (holder.length == 2 && isAlive(holder[1])) {
            return null;
          }
          bucket.delete(path.key());
        }
      }
      return null;
    } finally {
      Files.deleteIfExists(text);
    }
  }

  private static boolean isAlive(String pid) {
    return pid.matches("\\d{1,18}")
        && ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).orElse(false);
  }

  private static String text(Bucket bucket, CloudPath path, Found held) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(1000, held.size()));
    bucket.read(path.key(), held, 0, bytes);
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }

  @Override
  public boolean isValid() {
    return valid;
  }

  @Override
  public void release() throws IOException {
    if (valid) {
      valid = false;
      path.getFileSystem().bucket().delete(path.key());
      path.getFileSystem().changed(path.key());
    }
  }
}
