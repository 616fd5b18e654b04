package io.headrace.interop.beton;

import io.headrace.error.ConfigException;
import io.headrace.format.OpenOptions;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.shard.ShardOptions;
import io.headrace.format.shard.ShardSet;
import io.headrace.format.shard.ShardedDataset;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Pictures in `.beton` files. Any sample can be read by itself.
///
/// The image is the first column of pictures; the label the first of whole numbers, or the one that
/// is named so; all others are fields.
public final class BetonDataset extends ShardedDataset<BetonFile> {
  private static final List<String> LABELS = List.of("label", "labels", "class", "target", "y");

  /// What the columns of a file are used for.
  ///
  /// @param image of the pictures
  /// @param label of the classes, or null
  /// @param key of the keys, or null
  /// @param others the fields
  record Roles(
      BetonField image,
      @Nullable BetonField label,
      @Nullable BetonField key,
      List<BetonField> others) {}

  private final List<Roles> roles;

  private BetonDataset(ShardSet set, List<BetonFile> files, List<Roles> roles) {
    super(set.root(), set.manifest(), files);
    this.roles = List.copyOf(roles);
  }

  /// Opens a file, a folder of files, or a pattern.
  ///
  /// @throws ConfigException if no column holds pictures
  /// @throws io.headrace.error.CorruptDataException if a file makes no sense
  public static BetonDataset open(Path path, OpenOptions said, Store store) throws IOException {
    if (said.feature(OpenOptions.KEY) != null) {
      throw new ConfigException("features: the key of a sample of FFCV is its file's and number");
    }
    ShardSet set =
        ShardSet.find(path, said, ShardOptions.DEFAULT, BetonContainer.NAME, BetonDataset::expand);
    List<BetonFile> files = set.open((file, _, declared) -> new BetonFile(file, store, declared));
    try {
      List<Roles> roles = new ArrayList<>();
      for (BetonFile file : files) {
        roles.add(roles(file, said));
      }
      return new BetonDataset(set, files, roles);
    } catch (RuntimeException e) {
      for (BetonFile file : files) {
        file.close();
      }
      throw e;
    }
  }

  private static List<Path> expand(Path path) throws IOException {
    return Files.isDirectory(path)
        ? ShardFiles.list(path, BetonDataset::isNamed, path.toString())
        : ShardFiles.expand(path);
  }

  /// {@return whether a file is named as these are}
  static boolean isNamed(Path file) {
    String name = ShardFiles.baseName(file);
    return name.endsWith(BetonContainer.EXTENSION) && !name.startsWith(".");
  }

  private static Roles roles(BetonFile file, OpenOptions said) {
    BetonField image =
        named(file, BetonField.Type.IMAGE, said.feature(OpenOptions.IMAGE), List.of());
    if (image == null) {
      throw new ConfigException(
          "no column of pictures in %s: found %s; --features image=NAME,label=NAME says which is which"
              .formatted(file.name(), described(file)));
    }
    String asked = said.feature(OpenOptions.LABEL);
    boolean none = asked != null && asked.isEmpty();
    BetonField label = none ? null : named(file, BetonField.Type.INT, asked, LABELS);
    if (label == null && asked != null && !none) {
      throw new ConfigException(
          "no column %s of whole numbers: found %s".formatted(asked, described(file)));
    }
    BetonField key = null;
    List<BetonField> others = new ArrayList<>();
    for (BetonField field : file.fields()) {
      if (field.ours() && field.name().equals(BetonPacker.KEY)) {
        key = field;
      } else if (!field.equals(image) && !field.equals(label)) {
        others.add(field);
      }
    }
    return new Roles(image, label, key, others);
  }

  private static @Nullable BetonField named(
      BetonFile file, BetonField.Type type, @Nullable String said, List<String> usual) {
    List<BetonField> all = file.fields().stream().filter(f -> f.type() == type).toList();
    List<String> names = said == null ? usual : List.of(said);
    for (String name : names) {
      for (BetonField field : all) {
        if (field.name().equalsIgnoreCase(name)) {
          return field;
        }
      }
    }
    return said != null || all.isEmpty() ? null : all.getFirst();
  }

  private static List<String> described(BetonFile file) {
    return file.fields().stream().map(f -> f.name() + ": " + f.type()).toList();
  }

  @Override
  public long size() {
    return total();
  }

  @Override
  protected SampleReader newReader(long[] starts) {
    return new BetonRows(opened(), roles, starts);
  }

  @Override
  public SampleCursor openCursor(int shard) {
    BetonFile file = opened().get(shard);
    return new BetonRows(List.of(file), List.of(roles.get(shard)), new long[] {0, file.samples()});
  }

  @Override
  public List<String> warnings() {
    return List.of();
  }
}
