package io.headrace.cloud;

import io.headrace.error.ConfigException;
import io.headrace.store.RemoteFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Buckets of one kind, by the scheme of their addresses.
abstract class CloudProvider extends FileSystemProvider implements RemoteFiles {
  private static final Set<OpenOption> KNOWN =
      Set.of(
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.CREATE,
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.APPEND,
          StandardOpenOption.SYNC,
          StandardOpenOption.DSYNC,
          StandardOpenOption.SPARSE);

  private final String scheme;
  private final ConcurrentHashMap<URI, CloudFileSystem> open = new ConcurrentHashMap<>();
  final Network network = new Network();

  CloudProvider(String scheme) {
    this.scheme = scheme;
  }

  /// {@return the bucket that an address begins with}
  ///
  /// @param root as [#rootOf] gives it
  abstract Bucket connect(URI root);

  /// {@return the part of an address that names the bucket}
  URI rootOf(URI address) {
    return URI.create(address.getScheme() + "://" + address.getAuthority());
  }

  @Override
  public final String getScheme() {
    return scheme;
  }

  @Override
  public final long receivedBytes() {
    return network.bytes();
  }

  @Override
  public final long requests() {
    return network.requests();
  }

  @Override
  public final int dropUploads(Path folder) throws IOException {
    CloudPath path = CloudPath.of(folder);
    return path.getFileSystem().bucket().dropUploads(path.prefix());
  }

  @Override
  public final String version(Path file) throws IOException {
    CloudPath path = CloudPath.of(file);
    return path.getFileSystem().object(path).etag();
  }

  @Override
  public final FileSystem newFileSystem(URI uri, Map<String, ?> options) {
    return getFileSystem(uri);
  }

  @Override
  public final CloudFileSystem getFileSystem(URI uri) {
    if (uri.getRawAuthority() == null || uri.getQuery() != null || uri.getFragment() != null) {
      throw new ConfigException(
          "%s: expected an address like %s://NAME/FOLDER".formatted(uri.getScheme(), scheme));
    }
    if (uri.getRawAuthority().contains("@")) {
      throw new ConfigException(
          "%s://: leave credentials out of addresses; see the page on object storage"
              .formatted(scheme));
    }
    return open.computeIfAbsent(
        rootOf(uri), root -> new CloudFileSystem(this, root, connect(root)));
  }

  @Override
  public final Path getPath(URI uri) {
    CloudFileSystem system = getFileSystem(uri);
    String start = URI.create(system.address()).getPath();
    String inside = uri.getPath().substring(start == null ? 0 : start.length());
    return system.getPath(inside.isEmpty() ? "/" : inside);
  }

  @Override
  public final SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public final FileChannel newFileChannel(
      Path file, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    CloudPath path = CloudPath.of(file).toAbsolutePath();
    for (OpenOption option : options) {
      if (!KNOWN.contains(option)) {
        throw new UnsupportedOperationException(option + " means nothing in a bucket");
      }
    }
    if (options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND)) {
      return UploadChannel.open(path, options);
    }
    return new ObjectChannel(path, path.getFileSystem().object(path));
  }

  @Override
  public final DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    List<Path> passed = new ArrayList<>();
    CloudPath path = CloudPath.of(folder);
    for (CloudPath member : path.getFileSystem().list(path)) {
      if (filter.accept(member)) {
        passed.add(member);
      }
    }
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return passed.iterator();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public final void createDirectory(Path folder, FileAttribute<?>... attributes)
      throws IOException {
    CloudPath path = CloudPath.of(folder);
    if (path.getFileSystem().find(path) != null) {
      throw new FileAlreadyExistsException(folder.toString());
    }
    path.getFileSystem().make(path.key());
  }

  /// Deletes an object or an empty folder. A folder that went with its last object is no fault.
  @Override
  public final void delete(Path file) throws IOException {
    CloudPath path = CloudPath.of(file);
    CloudFileSystem system = path.getFileSystem();
    system.drop(path.key());
    if (system.unmake(path.key())) {
      return;
    }
    Found found = system.find(path);
    if (found != null && found.folder()) {
      if (system.bucket().holds(path.prefix())) {
        throw new DirectoryNotEmptyException(path.toString());
      }
    } else if (found != null) {
      system.bucket().delete(path.key());
    }
    system.changed(path.key());
  }

  @Override
  public final void copy(Path source, Path target, CopyOption... options) throws IOException {
    CloudPath from = CloudPath.of(source);
    CloudPath to = CloudPath.of(target);
    CloudFileSystem system = from.getFileSystem();
    if (to.getFileSystem() != system) {
      throw new IOException("%s and %s are not in one bucket".formatted(from, to));
    }
    boolean replaces = List.of(options).contains(StandardCopyOption.REPLACE_EXISTING);
    if (!replaces && !List.of(options).contains(StandardCopyOption.ATOMIC_MOVE)) {
      if (system.find(to) != null) {
        throw new FileAlreadyExistsException(to.toString());
      }
    }
    system.bucket().copy(system.object(from), from.key(), to.key());
    system.changed(to.key());
  }

  @Override
  public final void move(Path source, Path target, CopyOption... options) throws IOException {
    copy(source, target, options);
    CloudPath from = CloudPath.of(source);
    from.getFileSystem().bucket().delete(from.key());
    from.getFileSystem().changed(from.key());
  }

  @Override
  public final boolean isSameFile(Path path, Path other) {
    return path.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  @Override
  public final boolean isHidden(Path path) {
    Path name = path.getFileName();
    return name != null && name.toString().startsWith(".");
  }

  @Override
  public final FileStore getFileStore(Path path) {
    return new Endless(CloudPath.of(path).getFileSystem().address());
  }

  @Override
  public final void checkAccess(Path path, AccessMode... modes) throws IOException {
    CloudPath ours = CloudPath.of(path);
    Found _ = ours.getFileSystem().get(ours);
  }

  /// {@inheritDoc}
  ///
  /// @return false as well where the server refuses to say, as S3 does of what is not there to
  ///     those who may not list
  /// @throws UncheckedIOException if the server does not answer: that is no "no", and nobody who
  ///     asks this way looks at an [IOException]
  @Override
  public final boolean exists(Path path, LinkOption... options) {
    return readAttributesIfExists(path, BasicFileAttributes.class, options) != null;
  }

  /// {@inheritDoc}
  ///
  /// @throws UncheckedIOException as [#exists]
  @Override
  public final <A extends BasicFileAttributes> @Nullable A readAttributesIfExists(
      Path path, Class<A> type, LinkOption... options) {
    try {
      return readAttributes(path, type, options);
    } catch (NoSuchFileException | AccessDeniedException e) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public final <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    if (type != BasicFileAttributeView.class) {
      return null;
    }
    return type.cast(
        new BasicFileAttributeView() {
          @Override
          public String name() {
            return "basic";
          }

          @Override
          public BasicFileAttributes readAttributes() throws IOException {
            return CloudProvider.this.readAttributes(path, BasicFileAttributes.class);
          }

          @Override
          public void setTimes(
              @Nullable FileTime modified,
              @Nullable FileTime accessed,
              @Nullable FileTime created) {
            // the server's clock says when an object was written
          }
        });
  }

  @Override
  public final <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (!type.isAssignableFrom(Found.class)) {
      throw new UnsupportedOperationException(type.getSimpleName() + " of an object");
    }
    CloudPath ours = CloudPath.of(path);
    return type.cast(ours.getFileSystem().get(ours));
  }

  @Override
  public final Map<String, Object> readAttributes(
      Path path, String attributes, LinkOption... options) throws IOException {
    BasicFileAttributes found = readAttributes(path, BasicFileAttributes.class);
    return Map.of(
        "size", found.size(),
        "lastModifiedTime", found.lastModifiedTime(),
        "isDirectory", found.isDirectory(),
        "isRegularFile", found.isRegularFile());
  }

  @Override
  public final void setAttribute(Path path, String name, Object value, LinkOption... options) {
    throw new UnsupportedOperationException("attributes of objects cannot be set");
  }
}
