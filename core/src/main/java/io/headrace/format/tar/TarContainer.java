package io.headrace.format.tar;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.StreamKind;
import io.headrace.format.Container;
import io.headrace.format.SamplePacker;
import io.headrace.format.ShardWriter;
import io.headrace.store.Fanout;
import io.headrace.store.Store;
import io.headrace.store.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// WebDataset shards, to be written: `stem.ext` for an image, `stem.cls` for its label, `stem.NAME`
/// for every other field. Fields that are a serialised `tf.train.Feature` are written as JSON text,
/// `stem.NAME.json`. In field names `/` becomes `.`, and `_` is added to one that is taken.
///
/// The image's name is the sample's key where WebDataset's rules allow it; see the stem's rules in
/// `docs/format.md`. Else the true key stands in a PAX record `HEADRACE.key` of the image.
///
/// @param compression of each shard as a whole; without it there is an index beside each shard, and
///     an index of the whole that the `wids` package reads
public record TarContainer(Compression compression) implements Container {
  static final String NAME = "tar";

  /// The file that `wids.ShardListDataset` opens.
  private static final String WIDS_INDEX = "index.json";

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String extension() {
    return switch (compression.kind()) {
      case NONE -> ".tar";
      case ZLIB -> ".tar.zz";
      case GZIP -> ".tar.gz";
      case ZSTD -> ".tar.zst";
      case LZ4 -> ".tar.lz4";
      case SNAPPY -> ".tar.sz";
      case XZ -> ".tar.xz";
      case BZIP2 -> ".tar.bz2";
      case LZMA -> ".tar.lzma";
      case LZOP -> ".tar.lzo";
    };
  }

  @Override
  public SamplePacker newPacker() {
    return new TarPacker();
  }

  @Override
  public ShardWriter newShard(ShardTarget target) {
    return new TarShardWriter(target.bytes(), compression);
  }

  /// Writes `SHARD.index` beside every shard, and `index.json`, by walking the shards' headers;
  /// nothing if they are compressed, since neither is of use then.
  @Override
  public void complete(Path folder, List<String> shards) throws IOException {
    if (compression.kind() != StreamKind.NONE) {
      return;
    }
    List<Map<String, Object>> list = new ArrayList<>();
    shards.forEach(_ -> list.add(new LinkedHashMap<>()));
    Fanout.each(
        IntStream.range(0, shards.size()).boxed().toList(),
        i -> {
          Path file = folder.resolve(shards.get(i));
          try (TarShard shard =
              new TarShard(file, Store.LOCAL, StreamKind.NONE, -1, MemberRoles.USUAL)) {
            TarIndex index = TarIndex.walk(shard);
            IndexFile.write(index, shard);
            list.get(i).put("url", shards.get(i));
            list.get(i).put("nsamples", index.count());
            list.get(i).put("filesize", shard.bytes());
          }
        });
    Map<String, Object> wids = new LinkedHashMap<>();
    wids.put("__kind__", "wids-shard-index-v1");
    wids.put("wids_version", 1);
    wids.put("shardlist", list);
    WholeFile.write(folder.resolve(WIDS_INDEX), UTF_8.encode(JSON.writeValueAsString(wids) + "\n"));
  }
}
