package io.headrace.convert.inspect;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.error.DecodeException;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.format.SetDigest;
import io.headrace.format.folder.FolderContainer;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.DoneTensors;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioInfo;
import io.headrace.sound.SampleType;
import io.headrace.store.FileChecksum;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads a whole dataset and checks every record's checksums; the manifest's counts, sizes,
/// checksums and digest if there is a manifest; and on request every image or sound.
public final class Verifier implements AutoCloseable {
  private final boolean deep;
  private final ImageDecoder decoder = new ImageDecoder();
  private @Nullable DoneTensors tensors;
  private final AudioDecoder sounds = new AudioDecoder();
  private final Block pixels = new Block(MemoryBudget.unbounded());
  private final List<String> faults = new ArrayList<>();
  private final SetDigest set = new SetDigest();
  private long samples;
  private long unlabelled;
  private long packed;
  private long exact;

  private Verifier(boolean deep) {
    this.deep = deep;
  }

  /// What verifying found.
  ///
  /// @param samples that are whole
  /// @param unlabelled those of them that have no label
  /// @param shards that were read
  /// @param manifest whether there was a manifest to compare with
  /// @param faults everything that is wrong, with its place
  /// @param packed packed JPEGs that were rebuilt and decoded: all that are sound, if deep
  /// @param exact those of them that are byte for byte what was packed
  /// @param setDigest over the identities of the samples, 16 hex digits
  public record Report(
      long samples,
      long unlabelled,
      int shards,
      boolean manifest,
      List<String> faults,
      long packed,
      long exact,
      String setDigest) {
    /// Copies the list.
    public Report {
      faults = List.copyOf(faults);
    }
  }

  /// {@return what was found in `dataset`}
  ///
  /// @param deep whether images are decoded too, at every fidelity
  public static Report verify(Dataset dataset, boolean deep) throws IOException {
    try (var verifier = new Verifier(deep);
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      Manifest manifest = Manifest.readIfPresent(folderOf(dataset));
      if (manifest != null) {
        verifier.tensors = DoneTensors.of(manifest.steps(), MemoryBudget.unbounded());
      }
      Map<Path, Manifest.Shard> expected = new TreeMap<>();
      if (manifest != null) {
        for (Manifest.Shard shard : manifest.shards()) {
          expected.put(folderOf(dataset).resolve(shard.file()), shard);
        }
      }
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        Path file = dataset.shards().get(shard);
        long before = verifier.samples;
        int faults = verifier.faults.size();
        verifier.readShard(dataset, shard, sample);
        for (int fidelity = 1; deep && fidelity < dataset.groups(); fidelity++) {
          verifier.readAgain(dataset, shard, fidelity, sample);
        }
        Manifest.Shard entry = expected.remove(file);
        if (entry != null) {
          verifier.compare(file, entry, verifier.samples - before, verifier.faults.size() > faults);
        }
      }
      for (Map.Entry<Path, Manifest.Shard> rest : expected.entrySet()) {
        if (Files.isRegularFile(rest.getKey())) { // the list of a folder of images
          verifier.compare(rest.getKey(), rest.getValue(), rest.getValue().samples(), false);
        } else {
          verifier.faults.add(rest.getKey() + ": in the manifest, but not there");
        }
      }
      if (manifest != null && manifest.container().equals(Datasets.FOLDER)) {
        verifier.faults.addAll(FolderContainer.faults(dataset.root(), manifest));
      }
      verifier.compareDigest(dataset);
      return new Report(
          verifier.samples,
          verifier.unlabelled,
          dataset.shards().size(),
          manifest != null,
          verifier.faults,
          verifier.packed,
          verifier.exact,
          verifier.set.hex());
    }
  }

  private static Path folderOf(Dataset dataset) {
    Path root = dataset.root();
    Path parent = root.toAbsolutePath().getParent();
    return Files.isDirectory(root) || parent == null ? root : parent;
  }

  private void readShard(Dataset dataset, int shard, Sample sample) throws IOException {
    EachSample.of(
        dataset,
        shard,
        Integer.MAX_VALUE,
        sample,
        read -> {
          check(read);
          count(read);
          samples++;
          unlabelled += read.label() == Sample.NO_LABEL ? 1 : 0;
          set.add(read.id(), read.label());
        },
        faults::add);
  }

  /// Decodes the samples of a shard at a lower fidelity.
  private void readAgain(Dataset dataset, int shard, int fidelity, Sample sample)
      throws IOException {
    EachSample.of(dataset, shard, fidelity, sample, this::check, this::addOnce);
  }

  private void addOnce(String fault) {
    if (!faults.contains(fault)) {
      faults.add(fault);
    }
  }

  private void check(Sample sample) throws DecodeException {
    if (tensors != null && tensors.takes(sample.encoded())) {
      tensors.open(sample.encoded());
      return;
    }
    if (Content.of(sample.encoded()) == Content.SOUND) {
      checkSound(sample.encoded());
      return;
    }
    ImageInfo info = decoder.probe(sample.encoded());
    if (deep) {
      decoder.verify(
          sample.encoded(), info, pixels.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes()));
    }
  }

  private void count(Sample sample) throws DecodeException {
    if (deep && ImageFormat.PACKED.equals(ImageFormat.detect(sample.encoded()))) {
      packed++;
      exact += decoder.packed().header().exact() ? 1 : 0;
    }
  }

  /// Probes a sound; if deep, decodes it and compares with the checksum of its samples, if it has
  /// one.
  private void checkSound(MemorySegment encoded) throws DecodeException {
    AudioInfo info = sounds.probe(encoded);
    if (deep) {
      long bytes = info.bytes(SampleType.INT32);
      sounds.decode(encoded, info, SampleType.INT32, pixels.ensure(bytes).asSlice(0, bytes));
      boolean _ = sounds.verify(encoded);
    }
  }

  private void compare(Path file, Manifest.Shard entry, long found, boolean faulty)
      throws IOException {
    long bytes = Files.size(file);
    if (bytes != entry.bytes()) {
      faults.add("%s: %d bytes, the manifest says %d".formatted(file, bytes, entry.bytes()));
    }
    if (found != entry.samples() && !faulty) {
      faults.add("%s: %d samples, the manifest says %d".formatted(file, found, entry.samples()));
    }
    String crc = "%08x".formatted(FileChecksum.crc32c(file));
    if (bytes == entry.bytes() && !entry.crc32c().isEmpty() && !crc.equals(entry.crc32c())) {
      faults.add(
          "%s: CRC-32C of the file is %s, the manifest says %s"
              .formatted(file, crc, entry.crc32c()));
    }
  }

  private void compareDigest(Dataset dataset) {
    String contradiction = set.contradiction(dataset);
    if (!contradiction.isEmpty() && faults.isEmpty()) {
      faults.add(contradiction);
    }
  }

  @Override
  public void close() {
    if (tensors != null) {
      tensors.close();
    }
    decoder.close();
    sounds.close();
    pixels.close();
  }
}
