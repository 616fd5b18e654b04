package io.headrace.interop.table;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/// An image that a row only names.
public final class NamedFile {
  private NamedFile() {}

  /// Reads it, from the folder of the table's file or below.
  ///
  /// @param table the file that has the row
  /// @param name of the image's file
  /// @param into takes the bytes at its start
  /// @return how many
  /// @throws DecodeException if it is not there, or elsewhere
  public static long read(Path table, String name, Store store, Sample into)
      throws DecodeException, IOException {
    Path folder = table.toAbsolutePath().normalize().getParent();
    Path file;
    try {
      file = Objects.requireNonNull(folder).resolve(name).normalize();
    } catch (InvalidPathException e) {
      throw new DecodeException(Fault.CORRUPT, "image path '%s' is not a path".formatted(name));
    }
    if (!file.startsWith(folder)) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "no bytes, and image path '%s' is not below the folder of the file".formatted(name));
    }
    try (ByteFile from = store.open(file)) {
      from.read(0, into.ensure(from.size()).asSlice(0, from.size()));
      return from.size();
    } catch (NoSuchFileException e) {
      throw new DecodeException(
          Fault.IO, "no bytes, and the image '%s' is not at %s".formatted(name, file));
    }
  }
}
