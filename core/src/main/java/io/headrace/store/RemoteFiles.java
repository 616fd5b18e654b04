package io.headrace.store;

import java.io.IOException;
import java.nio.file.Path;

/// What a file system over a network can say and do beside reading and writing files. It is a
/// [java.nio.file.spi.FileSystemProvider] that implements this too.
public interface RemoteFiles {
  /// {@return bytes of files that came over the network so far, those of repeated requests
  ///     included}
  long receivedBytes();

  /// {@return requests made so far, repeated ones included}
  long requests();

  /// {@return what names this very content of a file, such as its ETag; empty if nothing does}
  String version(Path file) throws IOException;

  /// Removes what processes that were killed have uploaded in part and nobody will finish.
  ///
  /// @return how many uploads
  int dropUploads(Path folder) throws IOException;
}
