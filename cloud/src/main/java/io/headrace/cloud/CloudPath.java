package io.headrace.cloud;

import java.io.IOException;
import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A key in a bucket: absolute ones begin with a slash. No part is empty.
final class CloudPath implements Path {
  private final CloudFileSystem system;
  private final String text;

  /// @param text parts with single slashes between them, none at the end unless it is the root
  private CloudPath(CloudFileSystem system, String text) {
    this.system = system;
    this.text = text;
  }

  static CloudPath of(CloudFileSystem system, String text) {
    String given =
        text.startsWith(system.address()) ? text.substring(system.address().length()) : text;
    if (given.isEmpty() && !text.isEmpty()) {
      given = "/";
    }
    String whole = given.replaceAll("/+", "/");
    boolean ends = whole.length() > 1 && whole.endsWith("/");
    return new CloudPath(system, ends ? whole.substring(0, whole.length() - 1) : whole);
  }

  /// {@return the path as one of ours}
  ///
  /// @throws ProviderMismatchException if it is not
  static CloudPath of(Path path) {
    if (path instanceof CloudPath ours) {
      return ours;
    }
    throw new ProviderMismatchException(path + " is not an object's path");
  }

  /// {@return the key: the absolute path without its first slash}
  String key() {
    return toAbsolutePath().text.substring(1);
  }

  /// {@return what the keys of all objects in this folder begin with}
  String prefix() {
    String key = key();
    return key.isEmpty() ? "" : key + "/";
  }

  private List<String> parts() {
    String all = isAbsolute() ? text.substring(1) : text;
    return all.isEmpty() ? (isAbsolute() ? List.of() : List.of("")) : List.of(all.split("/"));
  }

  private CloudPath with(String other) {
    return new CloudPath(system, other);
  }

  @Override
  public CloudFileSystem getFileSystem() {
    return system;
  }

  @Override
  public boolean isAbsolute() {
    return text.startsWith("/");
  }

  @Override
  public @Nullable CloudPath getRoot() {
    return isAbsolute() ? with("/") : null;
  }

  @Override
  public @Nullable CloudPath getFileName() {
    return text.equals("/") ? null : with(text.substring(text.lastIndexOf('/') + 1));
  }

  @Override
  public @Nullable CloudPath getParent() {
    int slash = text.lastIndexOf('/');
    return text.equals("/") || slash < 0 ? null : with(slash == 0 ? "/" : text.substring(0, slash));
  }

  @Override
  public int getNameCount() {
    return parts().size();
  }

  @Override
  public CloudPath getName(int index) {
    return subpath(index, index + 1);
  }

  @Override
  public CloudPath subpath(int from, int to) {
    if (from < 0 || to > getNameCount() || from >= to) {
      throw new IllegalArgumentException("parts %d to %d of %s".formatted(from, to, this));
    }
    return with(String.join("/", parts().subList(from, to)));
  }

  private boolean isOfSameKind(Path other) {
    return other instanceof CloudPath ours
        && ours.isAbsolute() == isAbsolute()
        && (ours.system == system || !isAbsolute());
  }

  @Override
  public boolean startsWith(Path other) {
    List<String> ours = parts();
    return isOfSameKind(other)
        && other instanceof CloudPath path
        && path.parts().size() <= ours.size()
        && ours.subList(0, path.parts().size()).equals(path.parts());
  }

  @Override
  public boolean endsWith(Path other) {
    List<String> ours = parts();
    if (!(other instanceof CloudPath path) || path.isAbsolute()) {
      return equals(other);
    }
    List<String> theirs = path.parts();
    return theirs.size() <= ours.size()
        && ours.subList(ours.size() - theirs.size(), ours.size()).equals(theirs);
  }

  @Override
  public CloudPath normalize() {
    var kept = new ArrayDeque<String>();
    for (String part : parts()) {
      boolean up = part.equals("..");
      if (up && !kept.isEmpty() && !kept.getLast().equals("..")) {
        kept.removeLast();
      } else if (!part.equals(".") && !(up && isAbsolute())) {
        kept.add(part);
      }
    }
    return with((isAbsolute() ? "/" : "") + String.join("/", kept));
  }

  @Override
  public CloudPath resolve(Path other) {
    if (other.isAbsolute()) {
      return of(other);
    }
    String more = other instanceof CloudPath path ? path.text : other.toString();
    return more.isEmpty() ? this : text.isEmpty() ? with(more) : of(system, text + "/" + more);
  }

  @Override
  public CloudPath relativize(Path other) {
    if (!isOfSameKind(other)) {
      throw new IllegalArgumentException("%s and %s have no common root".formatted(this, other));
    }
    List<String> ours = text.isEmpty() ? List.of() : parts();
    List<String> theirs = of(other).parts();
    int same = 0;
    while (same < Math.min(ours.size(), theirs.size()) && ours.get(same).equals(theirs.get(same))) {
      same++;
    }
    String up = "../".repeat(ours.size() - same);
    String whole = up + String.join("/", theirs.subList(same, theirs.size()));
    return with(whole.endsWith("/") ? whole.substring(0, whole.length() - 1) : whole);
  }

  @Override
  public URI toUri() {
    return system.uri(toAbsolutePath().text);
  }

  @Override
  public CloudPath toAbsolutePath() {
    return isAbsolute() ? this : of(system, "/" + text);
  }

  @Override
  public CloudPath toRealPath(LinkOption... options) throws IOException {
    CloudPath real = toAbsolutePath().normalize();
    Found _ = system.get(real);
    return real;
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException("buckets cannot be watched");
  }

  @Override
  public int compareTo(Path other) {
    return toString().compareTo(of(other).toString());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CloudPath path && path.system == system && path.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /// {@return the address as users type it; of a relative path its parts}
  @Override
  public String toString() {
    return isAbsolute() ? system.address() + text : text;
  }
}
