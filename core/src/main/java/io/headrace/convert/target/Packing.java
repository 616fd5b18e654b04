package io.headrace.convert.target;

import io.headrace.codec.jpeg.coefficients.ScanGroups;
import io.headrace.codec.jpeg.packed.PackedHeader;
import io.headrace.codec.stream.BlobCompression;
import io.headrace.codec.stream.Compression;
import io.headrace.error.ConfigException;
import io.headrace.format.Container;
import io.headrace.format.Datasets;
import io.headrace.format.folder.FolderContainer;
import io.headrace.format.race.RaceContainer;
import io.headrace.format.race.RaceOptions;
import io.headrace.format.tar.TarContainer;
import io.headrace.format.tfrecord.TfRecordContainer;
import io.headrace.spec.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What kind of files samples are packed into.
public sealed interface Packing {
  /// {@return the text [#parse] takes}
  default String spec() {
    return name();
  }

  /// {@return the name of the kind}
  default String name() {
    return switch (this) {
      case TfRecord() -> TfRecordContainer.NAME;
      case Race _ -> RaceContainer.NAME;
      case Tar() -> "tar";
      case Folder() -> Datasets.FOLDER;
      case Provided(String name) -> name;
    };
  }

  /// TFRecord shards.
  record TfRecord() implements Packing {}

  /// Race shards.
  ///
  /// @param groups which scans of a progressive JPEG form a group; null for one group, or with the
  ///     encoding `progressive` for [ScanGroups#DEFAULT]
  /// @param compression of blobs
  /// @param blockBytes plain bytes of a block that is compressed together, or 0 for each blob
  /// @param dictionary bytes of a zstd dictionary to learn from the samples, or 0 for none
  record Race(
      @Nullable ScanGroups groups, BlobCompression compression, int blockBytes, int dictionary)
      implements Packing {
    /// Checks what [RaceOptions] will check.
    public Race {
      var _ = new RaceOptions(groups, 1, compression, blockBytes);
      if (dictionary != 0 && !(compression instanceof BlobCompression.Zstd)) {
        throw new ConfigException("a dictionary is for blobs that zstd compresses");
      }
      if (dictionary != 0 && (dictionary < 256 || dictionary > 1 << 24)) {
        throw new ConfigException(
            "dictionary of " + dictionary + " bytes: expected 256 to " + (1 << 24));
      }
    }

    RaceOptions options(TargetEncoding encoding) {
      ScanGroups scans = groups == null && progressive(encoding) ? ScanGroups.DEFAULT : groups;
      return new RaceOptions(scans, levels(encoding), compression, blockBytes);
    }

    private static boolean progressive(TargetEncoding encoding) {
      return switch (encoding) {
        case TargetEncoding.Progressive _ -> true;
        case TargetEncoding.Mixed(var shares, _) ->
            shares.stream().anyMatch(s -> progressive(s.encoding()));
        default -> false;
      };
    }

    @Override
    public String spec() {
      List<String> options = new ArrayList<>();
      ScanGroups scans = groups;
      if (scans != null) {
        options.add("groups=" + scans.spec());
      }
      switch (compression) {
        case BlobCompression.None _ -> {}
        case BlobCompression.Lz4(int level) -> options.add("blobs=lz4:" + level);
        case BlobCompression.Zstd(int level, _) -> options.add("blobs=zstd:" + level);
      }
      if (blockBytes > 0) {
        options.add("block=" + blockBytes);
      }
      if (dictionary > 0) {
        options.add("dictionary=" + dictionary);
      }
      return options.isEmpty() ? name() : name() + ":" + String.join(",", options);
    }
  }

  /// WebDataset shards.
  record Tar() implements Packing {}

  /// Shards of a kind that another module provides as a service.
  ///
  /// @param name of the kind
  record Provided(String name) implements Packing {}

  /// A folder with a file for each image.
  record Folder() implements Packing {}

  /// {@return the most images of a sample that an encoding makes, or bands of one}
  private static int levels(TargetEncoding encoding) {
    return switch (encoding) {
      case TargetEncoding.Pyramid _ -> 4;
      case TargetEncoding.Packed _ -> PackedHeader.MAX_BANDS;
      case TargetEncoding.Mixed(var shares, _) ->
          shares.stream().mapToInt(s -> levels(s.encoding())).max().orElse(1);
      default -> 1;
    };
  }

  /// {@return what is written where nothing is asked for: TFRecord, unless race alone holds that
  ///     encoding}
  static Packing usual(TargetEncoding encoding) {
    return parse(levels(encoding) > 1 ? RaceContainer.NAME : TfRecordContainer.NAME);
  }

  /// {@return whether a table of tiles is stored with a sample, so that its grid may be padded}
  default boolean holdsTiles() {
    return this instanceof Race;
  }

  /// {@return the container to write}
  ///
  /// @throws ConfigException if it cannot hold that encoding, or cannot be compressed as a whole
  default Container container(TargetEncoding encoding, Compression compression) {
    if (levels(encoding) > 1 && !(this instanceof Race)) {
      throw new ConfigException(
          "%s cannot hold '%s': only race holds several images of a sample, or one in bands"
              .formatted(name(), encoding.spec()));
    }
    boolean plain = compression instanceof Compression.None;
    if (!plain && !(this instanceof TfRecord || this instanceof Tar)) {
      throw new ConfigException(
          "%s is not compressed as a whole: leave out the compression %s"
              .formatted(name(), compression.spec()));
    }
    return switch (this) {
      case TfRecord() -> new TfRecordContainer(compression);
      case Race race -> new RaceContainer(race.options(encoding));
      case Tar() -> new TarContainer(compression);
      case Folder() -> new FolderContainer();
      case Provided(String name) -> provided(name);
    };
  }

  private static Container provided(String name) {
    Container container = Container.service(name);
    if (container == null) {
      throw new ConfigException("nothing here writes " + name);
    }
    return container;
  }

  /// {@return the packing written as `tfrecord`, `tar`, `folder`, the name of a provided kind, or
  /// `race` with options after a colon:
  ///     `groups=1/2/5/10`, `blobs=none|lz4[:LEVEL]|zstd[:LEVEL]`, `block=BYTES`,
  /// `dictionary=BYTES`}
  ///
  /// @throws ConfigException if it is none of these
  static Packing parse(String text) {
    Spec spec = Spec.commas("format", text);
    return switch (spec.name()) {
      case TfRecordContainer.NAME -> spec.bare(TfRecord::new);
      case RaceContainer.NAME -> race(spec);
      case Datasets.FOLDER -> spec.bare(Folder::new);
      case "tar" -> spec.bare(Tar::new);
      default -> {
        if (Container.service(spec.name()) == null) {
          throw spec.unknown(
              Stream.concat(
                      Stream.of("tfrecord", "tar", "race", "folder"),
                      Container.services().map(Container::name).sorted())
                  .collect(Collectors.joining(" or ")));
        }
        yield spec.bare(() -> new Provided(spec.name()));
      }
    };
  }

  private static Race race(Spec spec) {
    String groups = spec.option("groups");
    String blobs = spec.option("blobs");
    int block = spec.optionNumber("block", 0);
    int dictionary = spec.optionNumber("dictionary", 0);
    return spec.end(
        new Race(
            groups == null ? null : groups(spec, groups),
            blobs == null ? new BlobCompression.None() : blobs(spec, blobs),
            block,
            dictionary));
  }

  private static ScanGroups groups(Spec spec, String value) {
    return value.equals("each")
        ? ScanGroups.EACH_SCAN
        : ScanGroups.of(
            Stream.of(value.split("/", -1)).mapToInt(scan -> spec.number("scan", scan)).toArray());
  }

  private static BlobCompression blobs(Spec spec, String value) {
    Spec blobs = Spec.colons("format", value);
    return switch (blobs.name()) {
      case "none" -> blobs.end(new BlobCompression.None());
      case "lz4" -> blobs.end(new BlobCompression.Lz4(blobs.number("level", 0)));
      case "zstd" -> blobs.end(new BlobCompression.Zstd(blobs.number("level", 3)));
      default -> throw spec.bad("blobs are compressed by none, lz4 or zstd");
    };
  }
}
