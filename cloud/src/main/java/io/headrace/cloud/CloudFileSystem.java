package io.headrace.cloud;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A bucket as a tree of files. A folder is there while a key begins with its name; one that was
/// made is there for this process, so that something can be put into it.
///
/// What was listed is remembered: a file's size and ETag come from the listing, and reading it
/// takes no further request. Whether something is there is asked again after a minute.
final class CloudFileSystem extends FileSystem {
  private static final long FRESH_NANOS = 60_000_000_000L;

  /// Objects and folders that are remembered, at most.
  private static final int MAX_REMEMBERED = 2_000_000;

  private final CloudProvider provider;
  private final URI root;
  private final Bucket bucket;
  private final Set<String> made = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<String, UploadChannel> writing = new ConcurrentHashMap<>();

  /// Folders that were listed, by prefix, the one used last at the end; and the time they were.
  private final LinkedHashMap<String, Listing> listings = new LinkedHashMap<>(16, 0.75f, true);

  private int remembered;

  /// @param complete whether all that is there is a member
  private record Listing(Map<String, Found> members, long asked, boolean complete) {}

  /// @param root `scheme://name`, without a slash at the end
  CloudFileSystem(CloudProvider provider, URI root, Bucket bucket) {
    this.provider = provider;
    this.root = root;
    this.bucket = bucket;
  }

  /// {@return what all addresses begin with}
  String address() {
    return root.toString();
  }

  URI uri(String text) {
    try {
      String start = root.getPath() == null ? "" : root.getPath();
      return new URI(root.getScheme(), root.getAuthority(), start + text, null, null);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(address() + text, e);
    }
  }

  Bucket bucket() {
    return bucket;
  }

  /// {@return what is there, or null}
  @Nullable Found find(CloudPath path) throws IOException {
    String key = path.key();
    if (key.isEmpty() || made.contains(key)) {
      return Found.folder(name(key));
    }
    Known known = known(key);
    if (known.fresh()) {
      return known.found();
    }
    Found found = bucket.stat(key);
    if (found == null && bucket.holds(key + "/")) {
      found = Found.folder(name(key));
    }
    remember(key, found);
    return found;
  }

  /// {@return what is there}
  ///
  /// @throws NoSuchFileException if nothing is
  Found get(CloudPath path) throws IOException {
    Found found = find(path);
    if (found == null) {
      throw new NoSuchFileException(path.toString(), null, "no such object");
    }
    return found;
  }

  /// {@return the object at a path, as it was listed, however long ago that was: whoever reads it
  ///     is told if it has changed}
  Found object(CloudPath path) throws IOException {
    Known known = known(path.key());
    Found listed = known.found();
    Found found = listed == null || listed.folder() ? get(path) : listed;
    if (found.folder()) {
      throw new IOException(path + " is a folder");
    }
    return found;
  }

  /// What is remembered of a key.
  ///
  /// @param fresh whether it need not be asked again; `found` is null where nothing is there
  private record Known(@Nullable Found found, boolean fresh) {}

  private synchronized Known known(String key) {
    Listing listing = listings.get(folder(key));
    if (listing == null) {
      return new Known(null, false);
    }
    Found found = listing.members.get(name(key));
    long now = System.nanoTime();
    boolean whole = listing.complete && now - listing.asked < FRESH_NANOS;
    return new Known(found, whole || (found != null && now - found.asked() < FRESH_NANOS));
  }

  private synchronized void remember(String key, @Nullable Found found) {
    Listing listing =
        listings.computeIfAbsent(folder(key), _ -> new Listing(new HashMap<>(), 0, false));
    if (found == null) {
      remembered -= listing.members.remove(name(key)) == null ? 0 : 1;
    } else {
      remembered += listing.members.put(name(key), found) == null ? 1 : 0;
    }
    forgetOldest();
  }

  private void forgetOldest() {
    var eldest = listings.entrySet().iterator();
    while (remembered > MAX_REMEMBERED && listings.size() > 1 && eldest.hasNext()) {
      remembered -= eldest.next().getValue().members.size();
      eldest.remove();
    }
  }

  /// Forgets what is known of a key and of the folders above it, since it was written or deleted.
  synchronized void changed(String key) {
    for (String at = key; !at.isEmpty(); at = at.contains("/") ? parent(at) : "") {
      Listing gone = listings.remove(folder(at));
      remembered -= gone == null ? 0 : gone.members.size();
    }
  }

  /// {@return what is right below a folder, by name}
  List<CloudPath> list(CloudPath folder) throws IOException {
    String prefix = folder.prefix();
    Map<String, Found> members = new HashMap<>();
    long asked = System.nanoTime();
    bucket.list(prefix, found -> members.merge(found.name(), found, (a, b) -> a.folder() ? a : b));
    for (String key : made) {
      if (key.startsWith(prefix)) {
        String name = key.substring(prefix.length());
        String first = name.contains("/") ? name.substring(0, name.indexOf('/')) : name;
        members.putIfAbsent(first, Found.folder(first));
      }
    }
    if (members.isEmpty() && !get(folder).folder()) {
      throw new NotDirectoryException(folder.toString());
    }
    synchronized (this) {
      Listing before = listings.put(prefix, new Listing(members, asked, true));
      remembered += members.size() - (before == null ? 0 : before.members.size());
      forgetOldest();
    }
    List<CloudPath> paths = new ArrayList<>();
    for (String name : members.keySet()) {
      paths.add(folder.resolve(CloudPath.of(this, name)));
    }
    paths.sort(null);
    return paths;
  }

  /// Says that an object is being written, or no more.
  void writes(String key, @Nullable UploadChannel channel) {
    if (channel == null) {
      var _ = writing.remove(key);
    } else {
      writing.put(key, channel);
    }
  }

  /// Sees to it that what is being written of an object does not become one.
  void drop(String key) {
    UploadChannel channel = writing.remove(key);
    if (channel != null) {
      channel.drop();
    }
  }

  /// Makes a folder, for this process.
  void make(String key) {
    made.add(key);
  }

  /// {@return whether a folder was made here and is no more}
  boolean unmake(String key) {
    return made.remove(key);
  }

  /// {@return the start of a key up to its last slash, with it}
  private static String folder(String key) {
    return key.substring(0, key.lastIndexOf('/') + 1);
  }

  private static String parent(String key) {
    return key.substring(0, key.lastIndexOf('/'));
  }

  static String name(String key) {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  @Override
  public CloudProvider provider() {
    return provider;
  }

  @Override
  public CloudPath getPath(String first, String... more) {
    return CloudPath.of(this, more.length == 0 ? first : first + "/" + String.join("/", more));
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    PathMatcher local = FileSystems.getDefault().getPathMatcher(pattern);
    return path -> local.matches(Path.of(path.toString()));
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(getPath("/"));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of(new Endless(address()));
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic");
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException(address() + " stays open");
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException("objects have no owners here");
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException("buckets cannot be watched");
  }
}
