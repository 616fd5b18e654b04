package io.headrace.convert.inspect;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.error.DecodeException;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.DoneTensors;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioInfo;
import io.headrace.sound.SampleType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Compares two datasets, sample by sample, by their keys, whatever containers they are in.
///
/// Each is read once, from first to last. For every sample of the first a few digests are kept, so
/// that the two need not be in the same order.
public final class Difference implements AutoCloseable {
  /// What was found.
  ///
  /// @param inBoth samples that both have
  /// @param sameBytes those of them with the same encoded bytes; a packed JPEG counts as the JPEG
  ///     that it gives
  /// @param samePixels those of them that decode to the same pixels or samples, including those
  ///     with the same
  ///     bytes
  /// @param sameLabels those of them with the same label
  /// @param onlyFirst keys that only the first has
  /// @param onlySecond keys that only the second has, or has twice
  /// @param otherPixels keys of samples whose pixels differ
  /// @param otherLabels keys of samples whose labels differ
  /// @param faults samples that cannot be read or decoded, as `place: fault: reason`
  public record Report(
      long inBoth,
      long sameBytes,
      long samePixels,
      long sameLabels,
      List<String> onlyFirst,
      List<String> onlySecond,
      List<String> otherPixels,
      List<String> otherLabels,
      List<String> faults) {
    /// Copies the lists.
    public Report {
      onlyFirst = List.copyOf(onlyFirst);
      onlySecond = List.copyOf(onlySecond);
      otherPixels = List.copyOf(otherPixels);
      otherLabels = List.copyOf(otherLabels);
      faults = List.copyOf(faults);
    }

    /// {@return whether both hold the same samples with the same pixels and labels}
    public boolean same() {
      return onlyFirst.isEmpty()
          && onlySecond.isEmpty()
          && otherPixels.isEmpty()
          && otherLabels.isEmpty()
          && faults.isEmpty();
    }
  }

  /// What is kept of a sample.
  private record Row(String key, long label, ByteBuffer bytes, ByteBuffer pixels) {}

  private final ImageDecoder decoder = new ImageDecoder();
  private final AudioDecoder sounds = new AudioDecoder();
  private final PlainImage plain = new PlainImage(MemoryBudget.unbounded());
  private final Block pixels = new Block(MemoryBudget.unbounded());
  private final List<String> faults = new ArrayList<>();
  private @Nullable DoneTensors tensors;
  private final MessageDigest sha;

  private Difference() {
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /// {@return what distinguishes `first` from `second`}
  public static Report of(Dataset first, Dataset second) throws IOException {
    try (var difference = new Difference()) {
      return difference.compare(first, second);
    }
  }

  private Report compare(Dataset first, Dataset second) throws IOException {
    Map<String, Row> rows = new HashMap<>();
    List<String> onlySecond = new ArrayList<>();
    List<String> otherPixels = new ArrayList<>();
    List<String> otherLabels = new ArrayList<>();
    long[] same = new long[4];
    each(
        first,
        sample -> {
          Row row = row(sample);
          if (rows.putIfAbsent(row.key, row) != null) {
            faults.add(sample.location() + ": DUPLICATE: the key is there twice");
          }
        });
    each(
        second,
        sample -> {
          Row found = row(sample);
          Row row = rows.remove(found.key);
          if (row == null) {
            onlySecond.add(found.key);
            return;
          }
          same[0]++;
          same[1] += found.bytes.equals(row.bytes) ? 1 : 0;
          if (found.pixels.equals(row.pixels)) {
            same[2]++;
          } else {
            otherPixels.add(found.key);
          }
          if (found.label == row.label) {
            same[3]++;
          } else {
            otherLabels.add(found.key);
          }
        });
    return new Report(
        same[0],
        same[1],
        same[2],
        same[3],
        rows.keySet().stream().sorted().toList(),
        onlySecond,
        otherPixels,
        otherLabels,
        faults);
  }

  private void each(Dataset dataset, EachSample.Taker taker) throws IOException {
    DoneTensors done = DoneTensors.of(Manifest.stepsOf(dataset), MemoryBudget.unbounded());
    tensors = done;
    try (var _ = done;
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        EachSample.of(dataset, shard, Integer.MAX_VALUE, sample, taker, faults::add);
      }
    }
  }

  private Row row(Sample sample) throws DecodeException {
    MemorySegment stored = sample.encoded();
    if (tensors != null && tensors.takes(stored)) {
      ByteBuffer bytes = digest(stored);
      tensors.open(stored);
      sha.update(
          "%d %d "
              .formatted(tensors.width(), tensors.height())
              .getBytes(StandardCharsets.US_ASCII));
      return new Row(sample.key(), sample.label(), bytes, digest(tensors.elements()));
    }
    MemorySegment encoded = plain.of(sample);
    boolean packed = ImageFormat.PACKED.equals(ImageFormat.detect(stored));
    ByteBuffer bytes = digest(packed ? encoded : stored);
    if (Content.of(encoded) == Content.SOUND) {
      return new Row(sample.key(), sample.label(), bytes, digestOfSound(encoded));
    }
    ImageInfo info = decoder.probe(encoded);
    MemorySegment rgb = pixels.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
    decoder.decodeRgb(encoded, info, rgb);
    sha.update("%d %d ".formatted(info.width(), info.height()).getBytes(StandardCharsets.US_ASCII));
    return new Row(sample.key(), sample.label(), bytes, digest(rgb));
  }

  /// {@return the digest of the samples as fractions: what has other bits may still be the same}
  private ByteBuffer digestOfSound(MemorySegment encoded) throws DecodeException {
    AudioInfo info = sounds.probe(encoded);
    long length = info.bytes(SampleType.FLOAT32);
    MemorySegment samples = pixels.ensure(length).asSlice(0, length);
    sounds.decode(encoded, info, SampleType.FLOAT32, samples);
    sha.update(
        "%d Hz %d "
            .formatted(info.sampleRate(), info.channels())
            .getBytes(StandardCharsets.US_ASCII));
    return digest(samples);
  }

  private ByteBuffer digest(MemorySegment bytes) {
    for (long at = 0; at < bytes.byteSize(); at += 1 << 30) {
      sha.update(bytes.asSlice(at, Math.min(1 << 30, bytes.byteSize() - at)).asByteBuffer());
    }
    return ByteBuffer.wrap(sha.digest());
  }

  @Override
  public void close() {
    decoder.close();
    sounds.close();
    plain.close();
    pixels.close();
  }
}
