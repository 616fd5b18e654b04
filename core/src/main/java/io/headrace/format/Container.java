package io.headrace.format;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A way to pack samples into files that can be written: what a conversion's target is made of.
///
/// Work is split in two. A [SamplePacker], of which every worker has one, turns a sample into the
/// bytes it will be stored as; a [ShardWriter] puts these after each other, in order. The bytes of
/// a shard depend on its samples alone, never on time, place or threads. Immutable.
public interface Container {
  /// {@return the name in manifests and on the command line, such as `tfrecord`}
  String name();

  /// {@return the end of its shards' file names, such as `.tfrecord`}
  String extension();

  /// {@return a packer for one worker}
  SamplePacker newPacker();

  /// Begins a shard.
  ShardWriter newShard(ShardTarget target) throws IOException;

  /// {@return whether all is there that a finished shard consists of, beside its file}
  ///
  /// @param staged the shard's file
  /// @param scratch as it was in [ShardTarget#scratch]
  /// @param published its final path, where [#publish] may have begun to move it
  default boolean intact(Path staged, Path scratch, Path published) throws IOException {
    return true;
  }

  /// Moves a finished shard to its final path. Called again if the process died meanwhile.
  ///
  /// @param staged the shard's file; there
  /// @param scratch as it was in [ShardTarget#scratch]
  /// @param published its final path, on the same file system
  default void publish(Path staged, Path scratch, Path published) throws IOException {
    Files.move(staged, published, StandardCopyOption.ATOMIC_MOVE);
  }

  /// Writes what belongs to the dataset as a whole, such as an index over all shards. Called when
  /// the shards stand in `folder`, before the manifest; perhaps again after a kill.
  ///
  /// @param shards file names in stored order
  default void complete(Path folder, List<String> shards) throws IOException {}

  /// {@return what the manifest lists}. Called after [#complete], perhaps again after a kill.
  ///
  /// @param staged the shards' files where they were made; gone if [#publish] moves them
  default List<Manifest.Shard> listed(Path folder, List<Manifest.Shard> shards, List<Path> staged)
      throws IOException {
    return shards;
  }

  /// {@return the container of that name, or null if no module that is present provides it as a
  /// service}
  ///
  /// @param name as [#name] says it, such as `pcr`
  static @Nullable Container service(String name) {
    return services().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }

  /// {@return the containers that modules provide as services, because they need heavy libraries}
  static Stream<Container> services() {
    return ServiceLoader.load(Container.class, Container.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get);
  }

  /// Where a shard goes.
  ///
  /// @param bytes takes the shard's bytes from first to last; the caller closes it
  /// @param scratch a path that does not exist, with room beside it: a writer that needs temporary
  ///     files names them by adding to this name, and removes them when closed
  /// @param shard its number, from 0
  /// @param shards how many there will be
  record ShardTarget(WritableByteChannel bytes, Path scratch, int shard, int shards) {}
}
