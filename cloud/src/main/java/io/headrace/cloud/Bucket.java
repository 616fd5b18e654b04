package io.headrace.cloud;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The objects of one bucket, by key. Calls are repeated after failures that may pass, and wait
/// where a server asks for fewer requests. Thread-safe.
interface Bucket {
  /// {@return the object with that very key, or null}
  @Nullable Found stat(String key) throws IOException;

  /// {@return whether there are keys below a folder}
  ///
  /// @param prefix ends with a slash, unless it is empty
  boolean holds(String prefix) throws IOException;

  /// Lists the objects and folders right below a folder, in any order.
  ///
  /// @param prefix as in [#holds]
  void list(String prefix, Consumer<Found> to) throws IOException;

  /// Fills a buffer with bytes of an object.
  ///
  /// @param known the object as it was listed; `into` does not reach beyond its size
  /// @throws ChangedObjectException if it is another one now
  void read(String key, Found known, long position, ByteBuffer into) throws IOException;

  /// Makes a local file an object, at once and as a whole: large ones part by part. Where that
  /// fails, no part stays on the server.
  ///
  /// @param create whether there must be no such object yet
  /// @throws java.nio.file.FileAlreadyExistsException if there is one, and `create`
  void put(String key, Path file, boolean create) throws IOException;

  /// Copies an object within the bucket, on the server where it can.
  void copy(Found from, String fromKey, String toKey) throws IOException;

  /// Deletes an object, if there is one.
  void delete(String key) throws IOException;

  /// Removes uploads below a folder that a killed process began and nobody finished.
  ///
  /// @return how many
  int dropUploads(String prefix) throws IOException;
}
