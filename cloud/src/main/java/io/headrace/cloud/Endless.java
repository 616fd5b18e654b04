package io.headrace.cloud;

import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.jspecify.annotations.Nullable;

/// A bucket's room, which has no end.
final class Endless extends FileStore {
  private final String address;

  Endless(String address) {
    this.address = address;
  }

  @Override
  public String name() {
    return address;
  }

  @Override
  public String type() {
    return "bucket";
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public long getTotalSpace() {
    return Long.MAX_VALUE;
  }

  @Override
  public long getUsableSpace() {
    return Long.MAX_VALUE;
  }

  @Override
  public long getUnallocatedSpace() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
    return false;
  }

  @Override
  public boolean supportsFileAttributeView(String name) {
    return name.equals("basic");
  }

  @Override
  public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
    return null;
  }

  @Override
  public Object getAttribute(String attribute) {
    throw new UnsupportedOperationException(attribute);
  }
}
