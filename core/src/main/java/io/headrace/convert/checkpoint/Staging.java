package io.headrace.convert.checkpoint;

import io.headrace.error.ConfigException;
import io.headrace.format.Container;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.format.files.ShardName;
import io.headrace.store.Places;
import io.headrace.store.RemoteFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Where a conversion works until it is complete: a hidden folder in the target.
///
///     target/.headrace-convert/plan.json          what is being made, from what
///     target/.headrace-convert/shard-00003.part   being written
///     target/.headrace-convert/shard-00003        finished and on disk
///     target/.headrace-convert/shard-00003.json   what is in it; written last
///     target/.headrace-convert/shard-00003.part-7 being written by one of several processes
///
/// Publishing renames the finished shards into the target, then writes the manifest, then removes
/// the folder; a killed run resumes from whatever it left.
public final class Staging implements AutoCloseable {
  static final String FOLDER = Datasets.UNFINISHED;

  /// The part of a plan that says what the source is.
  public static final String SOURCE = "source";

  /// Tries to remove the work folder, and the time from one to the next.
  private static final int MAX_TRIES = 100;

  private static final long PAUSE_NANOS = 100_000_000;

  private static final Pattern UNFINISHED =
      Pattern.compile("shard-\\d+\\.part(-\\w+)?(\\.group\\d+)?");

  private final Path target;
  private final String name;
  private final int shards;
  private final Path folder;
  private final FileChannel lockChannel;
  private final FileLock lock;
  private final Container container;

  private Staging(
      Path target,
      String name,
      int shards,
      Path folder,
      FileChannel lockChannel,
      FileLock lock,
      Container container) {
    this.target = target;
    this.name = name;
    this.shards = shards;
    this.folder = folder;
    this.lockChannel = lockChannel;
    this.lock = lock;
    this.container = container;
  }

  /// Opens the work folder of a conversion, new or to be resumed.
  ///
  /// @param name that begins those of the shards
  /// @param shards how many there will be
  /// @param plan what is to be made, from what, as JSON text; equal for equal conversions
  /// @param container of the shards
  /// @throws ConfigException if the target holds anything else than this very conversion
  public static Staging open(Path target, String name, int shards, String plan, Container container)
      throws IOException {
    Path folder = target.resolve(FOLDER);
    if (Files.exists(target) && !Files.isDirectory(target)) {
      throw new ConfigException(target + " is a file: expected a folder to write to");
    }
    if (!Files.isDirectory(folder)) {
      requireEmpty(target);
      Files.createDirectories(folder);
    }
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw new ConfigException("another conversion is writing to " + target);
      }
      Path planFile = folder.resolve("plan.json");
      if (!Files.exists(planFile)) {
        writeAtomically(planFile, plan);
      } else if (!Files.readString(planFile).equals(plan)) {
        throw otherConversion(target, folder, Files.readString(planFile), plan);
      }
      RemoteFiles remote = Places.remote(folder);
      if (remote != null) {
        int _ = remote.dropUploads(folder);
      }
      return new Staging(target, name, shards, folder, channel, lock, container);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// Begins in the target anew: what a killed run of this kind left is removed.
  ///
  /// @param replace whether a dataset that is in the target may be there
  /// @throws ConfigException if the target holds anything else
  public static Staging again(
      Path target, String name, int shards, Container container, boolean replace)
      throws IOException {
    if (replace) {
      Files.createDirectories(target.resolve(FOLDER));
    }
    Staging staging = open(target, name, shards, json(Map.of(SOURCE, "parts")), container);
    try {
      for (Path file : files(staging.folder)) {
        if (String.valueOf(file.getFileName()).startsWith("shard-")) {
          delete(file);
        }
      }
      return staging;
    } catch (IOException | RuntimeException e) {
      staging.close();
      throw e;
    }
  }

  /// Removes the dataset that is replaced: its manifest, its shards, and the indexes of these.
  public void clearTarget(Manifest old) throws IOException {
    Files.deleteIfExists(target.resolve(Manifest.FILE));
    for (Manifest.Shard shard : old.shards()) {
      Files.deleteIfExists(target.resolve(shard.file()));
      Files.deleteIfExists(target.resolve(shard.file() + ".index"));
    }
    Files.deleteIfExists(target.resolve("index.json"));
  }

  /// {@return how the conversion that was begun differs from the one that is asked for}
  private static ConfigException otherConversion(
      Path target, Path folder, String begun, String asked) {
    JsonNode before;
    try {
      before = JsonMapper.shared().readTree(begun);
    } catch (JacksonException e) {
      return new ConfigException(
          "%s is not the plan of a conversion: delete %s".formatted(folder, folder));
    }
    JsonNode now = JsonMapper.shared().readTree(asked);
    List<String> options = differing(before, now);
    if (options.remove(SOURCE) && options.isEmpty()) {
      return new ConfigException(
          ("the source is not as it was when the conversion into %s began (%s): finish it with the"
                  + " source as it was, or delete %s to begin again")
              .formatted(
                  target,
                  String.join(", ", differing(before.path(SOURCE), now.path(SOURCE))),
                  folder));
    }
    return new ConfigException(
        "%s holds an unfinished conversion of another kind (%s): finish it with the options it was started with, or delete %s"
            .formatted(target, String.join(", ", options), folder));
  }

  /// {@return names of the fields in which two objects differ, with both values where these are
  /// short}
  private static List<String> differing(JsonNode before, JsonNode now) {
    Set<String> names = new LinkedHashSet<>(now.propertyNames());
    names.addAll(before.propertyNames());
    List<String> differing = new ArrayList<>();
    for (String name : names) {
      JsonNode a = before.path(name);
      JsonNode b = now.path(name);
      if (!a.equals(b)) {
        boolean numbers = a.isNumber() && b.isNumber();
        differing.add(numbers ? "%s: %s then, %s now".formatted(name, a, b) : name);
      }
    }
    return differing;
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this process
    }
  }

  private static void requireEmpty(Path target) throws IOException {
    if (!Files.isDirectory(target)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(target)) {
      for (Path file : files) {
        throw new ConfigException(
            target + " is not empty (it holds " + file.getFileName() + "): expected a new folder");
      }
    }
  }

  /// {@return where a shard is written}
  public Path part(int shard) {
    return folder.resolve(name(shard) + ".part");
  }

  /// {@return where one of several attempts at a shard is written}
  public static Path part(Path target, int shard, String attempt) {
    return target.resolve(FOLDER).resolve(partName(shard, attempt));
  }

  private static String partName(int shard, String attempt) {
    return name(shard) + ".part-" + attempt;
  }

  /// Removes what an attempt at a shard has written.
  public static void drop(Path target, int shard, String attempt) throws IOException {
    for (Path file : beside(target.resolve(FOLDER), partName(shard, attempt))) {
      delete(file);
    }
  }

  /// {@return a shard's file, and those whose names go on after its}
  private static List<Path> beside(Path folder, String name) throws IOException {
    return files(folder).stream()
        .filter(file -> (file.getFileName() + ".").startsWith(name + "."))
        .toList();
  }

  /// Declares a shard finished that another process has written.
  public void finish(int shard, String attempt, ShardTally tally) throws IOException {
    String name = partName(shard, attempt);
    if (!Files.exists(folder.resolve(name))) {
      throw new IOException(
          "shard %d was written to %s by another process, but is not there: expected a folder that"
                  .formatted(shard, folder.resolve(name))
              + " all machines share");
    }
    for (Path file : beside(folder, name)) {
      String rest = String.valueOf(file.getFileName()).substring(name.length());
      Path mine = folder.resolve(part(shard).getFileName() + rest);
      delete(mine); // of an earlier run that was killed
      Files.move(file, mine, StandardCopyOption.ATOMIC_MOVE);
    }
    finish(shard, tally);
  }

  private static String name(int shard) {
    return "shard-%05d".formatted(shard);
  }

  /// Declares a shard, whose bytes are on disk under [#part], finished.
  public void finish(int shard, ShardTally tally) throws IOException {
    Files.move(part(shard), folder.resolve(name(shard)), StandardCopyOption.ATOMIC_MOVE);
    writeAtomically(folder.resolve(name(shard) + ".json"), tally.toJson());
  }

  /// {@return what an earlier run put into a shard, or null if it has to be written}
  public @Nullable ShardTally finished(int shard) throws IOException {
    Path json = folder.resolve(name(shard) + ".json");
    if (!Files.exists(json)) {
      return null;
    }
    ShardTally tally;
    try {
      tally = ShardTally.parse(Files.readString(json));
    } catch (JacksonException | ConfigException e) {
      return null; // the system died before it was on disk
    }
    Path staged = folder.resolve(name(shard));
    Path published = published(shard); // where a run killed while publishing may have put it
    Path file = Files.exists(staged) ? staged : published;
    return Files.exists(file)
            && ShardFile.matches(file, tally)
            && container.intact(file, part(shard), published)
        ? tally
        : null;
  }

  /// {@return a shard's final path}
  private Path published(int shard) {
    return target.resolve(fileName(shard));
  }

  /// {@return the container of the shards}
  public Container container() {
    return container;
  }

  /// {@return the name of a shard's file when it is complete}
  public String fileName(int shard) {
    return new ShardName(name, shard, shards, container.extension()).fileName();
  }

  /// Renames a finished shard to its final path, unless an earlier run did.
  public void publish(int shard) throws IOException {
    Path staged = folder.resolve(name(shard));
    if (Files.exists(staged)) {
      container.publish(staged, part(shard), published(shard));
    }
  }

  /// Publishes all shards, then writes the manifest and removes the work folder: the dataset is
  /// complete.
  public void complete(Manifest manifest) throws IOException {
    List<Path> staged = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      staged.add(folder.resolve(name(shard)));
      publish(shard);
    }
    container.complete(target, manifest.shards().stream().map(Manifest.Shard::file).toList());
    manifest.withShards(container.listed(target, manifest.shards(), staged)).write(target);
    close();
    deleteFolder();
  }

  /// Removes all that was written, and the target too if nothing else is in it.
  public void abandon() throws IOException {
    close();
    deleteFolder();
    try {
      Files.deleteIfExists(target);
    } catch (DirectoryNotEmptyException e) {
      // it has something else
    }
  }

  private static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /// Removes the work folder. Other processes may write to it still, attempts of which nobody needs
  /// the result: they are given a moment to notice.
  private void deleteFolder() throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        delete(folder);
        return;
      } catch (DirectoryNotEmptyException | NoSuchFileException | UncheckedIOException e) {
        if (tries == MAX_TRIES) {
          throw new IOException("%s cannot be removed: %s".formatted(folder, e.getMessage()), e);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /// Removes unfinished files, to free their space. A tree of files beside a shard stays: it may
  /// belong to a finished one.
  public void dropParts() throws IOException {
    for (Path file : files(folder)) {
      if (UNFINISHED.matcher(String.valueOf(file.getFileName())).matches()) {
        delete(file);
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(files::add);
    } catch (NoSuchFileException e) {
      return files; // the conversion has ended meanwhile
    }
    return files;
  }

  private static void writeAtomically(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(temporary, text);
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /// {@return a plan as JSON text}
  public static String json(Object value) {
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(value);
  }

  @Override
  public void close() throws IOException {
    if (lock.isValid()) {
      lock.release();
    }
    lockChannel.close();
  }
}
