package io.headrace.cloud;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/// An object, or a folder, which is no more than the common start of some keys.
///
/// @param name last part of its key
/// @param size in bytes; 0 of a folder
/// @param etag that the server gives to this content; empty if it gives none
/// @param modified milliseconds since 1970; 0 if not known
/// @param folder whether it is a folder
/// @param asked when the server said so, by [System#nanoTime]
record Found(String name, long size, String etag, long modified, boolean folder, long asked)
    implements BasicFileAttributes {
  static Found folder(String name) {
    return new Found(name, 0, "", 0, true, System.nanoTime());
  }

  @Override
  public FileTime lastModifiedTime() {
    return FileTime.fromMillis(modified);
  }

  @Override
  public FileTime lastAccessTime() {
    return lastModifiedTime();
  }

  @Override
  public FileTime creationTime() {
    return lastModifiedTime();
  }

  @Override
  public boolean isRegularFile() {
    return !folder;
  }

  @Override
  public boolean isDirectory() {
    return folder;
  }

  @Override
  public boolean isSymbolicLink() {
    return false;
  }

  @Override
  public boolean isOther() {
    return false;
  }

  @Override
  public @Nullable Object fileKey() {
    return null;
  }
}
