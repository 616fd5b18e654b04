package io.headrace.lab.inspect;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.Subsampling;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.format.field.FieldSurvey;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.DoneTensors;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioInfo;
import io.headrace.sound.SampleType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Goes through a dataset and reads the header of every image or sound, or decodes it.
public final class Inspector implements AutoCloseable {
  private final boolean deep;
  private final ImageDecoder decoder = new ImageDecoder();
  private final AudioDecoder audio = new AudioDecoder();
  private final SoundInspection.Tally sounds = new SoundInspection.Tally();
  private final JpegHeader jpeg = new JpegHeader();
  private final Block pixels = new Block(MemoryBudget.unbounded());
  private final LongStream.Builder widths = LongStream.builder();
  private final LongStream.Builder heights = LongStream.builder();
  private final LongStream.Builder sizes = LongStream.builder();
  private final LongStream.Builder qualities = LongStream.builder();
  private final Map<Long, Long> labels = new TreeMap<>();
  private final Map<String, Long> formats = new TreeMap<>();
  private final Map<String, Long> subsamplings = new TreeMap<>();
  private final List<String> broken = new ArrayList<>();
  private final Map<String, Long> fields = new TreeMap<>();
  private final FieldSurvey survey = new FieldSurvey();
  private long samples;
  private long listLabels;
  private @Nullable DoneTensors tensors;
  private long encodedBytes;
  private long qualityUnknown;
  private long progressive;
  private long grey;
  private long oriented;

  private Inspector(boolean deep) {
    this.deep = deep;
  }

  /// {@return what `dataset` is made of}
  ///
  /// @param deep whether every image is decoded, which finds damage after the header too
  public static Inspection inspect(Dataset dataset, boolean deep) throws IOException {
    try (var inspector = new Inspector(deep);
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      inspector.tensors = DoneTensors.of(Manifest.stepsOf(dataset), MemoryBudget.unbounded());
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          boolean more = true;
          while (more) {
            more = inspector.step(cursor, sample);
          }
        } catch (CorruptDataException e) {
          inspector.broken.add(e.where() + ": " + e.fault() + ": " + e.reason());
        }
      }
      return inspector.result(dataset);
    }
  }

  private boolean step(Dataset.SampleCursor cursor, Sample sample) throws IOException {
    try {
      if (!cursor.next(sample)) {
        return false;
      }
      samples++;
      look(sample);
      return true;
    } catch (CorruptDataException e) {
      samples++;
      broken.add(e.where() + ": " + e.fault() + ": " + e.reason());
      return cursor.resumable();
    } catch (DecodeException e) {
      broken.add(sample.location() + ": " + e.fault() + ": " + e.getMessage());
      return true;
    }
  }

  private void look(Sample sample) throws DecodeException {
    encodedBytes += sample.encodedBytes();
    sizes.add(sample.encodedBytes());
    labels.merge(sample.label(), 1L, Long::sum);
    listLabels += sample.labelField() >= 0 ? 1 : 0;
    for (int field = 0; field < sample.fields(); field++) {
      fields.merge(sample.fieldName(field), 1L, Long::sum);
    }
    survey.add(sample);
    if (tensors != null && tensors.takes(sample.encoded())) {
      tensors.open(sample.encoded());
      formats.merge(tensors.label(), 1L, Long::sum);
      widths.add(tensors.width());
      heights.add(tensors.height());
      return;
    }
    if (Content.of(sample.encoded()) == Content.SOUND) {
      listen(sample.encoded());
      return;
    }
    ImageInfo info = decoder.probe(sample.encoded());
    formats.merge(info.format().label(), 1L, Long::sum);
    widths.add(info.width());
    heights.add(info.height());
    progressive += info.progressive() ? 1 : 0;
    grey += info.channels() <= 2 ? 1 : 0;
    oriented += info.orientation() != 1 ? 1 : 0;
    Subsampling subsampling = info.subsampling();
    if (subsampling != null) {
      subsamplings.merge(subsampling.label(), 1L, Long::sum);
    }
    if (info.format() == ImageFormat.JPEG || info.format() == ImageFormat.PACKED) {
      int quality = estimatedQuality(sample.encoded(), info.format());
      if (quality > 0) {
        qualities.add(quality);
      } else {
        qualityUnknown++;
      }
    }
    if (deep) {
      decoder.verify(
          sample.encoded(), info, pixels.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes()));
    }
  }

  private int estimatedQuality(MemorySegment encoded, ImageFormat format) throws DecodeException {
    if (format == ImageFormat.PACKED) {
      return decoder.packed().header().jpeg().estimatedQuality();
    }
    jpeg.read(encoded);
    return jpeg.estimatedQuality();
  }

  private void listen(MemorySegment encoded) throws DecodeException {
    AudioInfo info = audio.probe(encoded);
    formats.merge(info.format().label(), 1L, Long::sum);
    sounds.add(info);
    if (deep) {
      long bytes = info.bytes(SampleType.INT32);
      audio.decode(encoded, info, SampleType.INT32, pixels.ensure(bytes).asSlice(0, bytes));
      boolean _ = audio.verify(encoded);
    }
  }

  private Inspection result(Dataset dataset) throws IOException {
    Map<String, Long> classes = new LinkedHashMap<>();
    List<String> names = dataset.classes();
    labels.forEach((label, count) -> classes.merge(name(names, label), count, Long::sum));
    Map<String, Inspection.Field> types = new LinkedHashMap<>();
    survey
        .seen()
        .forEach(
            (name, seen) -> types.put(name, new Inspection.Field(seen.described(), seen.count())));
    return new Inspection(
        samples,
        dataset.storedBytes(),
        encodedBytes,
        classes,
        listLabels,
        fields,
        types,
        formats,
        subsamplings,
        Spread.of(widths.build().toArray()),
        Spread.of(heights.build().toArray()),
        Spread.of(sizes.build().toArray()),
        Spread.of(qualities.build().toArray()),
        qualityUnknown,
        progressive,
        grey,
        oriented,
        sounds.result(audio.warnings()),
        broken);
  }

  private static String name(List<String> names, @Nullable Long label) {
    if (label == null || label < 0) {
      return Inspection.NO_CLASS;
    }
    return label < names.size() ? names.get(label.intValue()) : String.valueOf(label);
  }

  @Override
  public void close() {
    if (tensors != null) {
      tensors.close();
    }
    decoder.close();
    audio.close();
    pixels.close();
  }
}
