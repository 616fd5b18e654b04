package io.headrace.format.tfrecord;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.format.tfrecord.ExampleReader.Kind;
import java.lang.foreign.MemorySegment;

/// Finds image, label and key in a record of [ImageRecord]'s feature names, or of those that
/// TensorFlow Datasets uses (`image`, `label`, `file_name`). Confined to one thread.
public final class ImageRecordReader {
  private static final MemorySegment[] ENCODED = names(ImageRecord.ENCODED, "image");
  private static final MemorySegment[] LABEL = names(ImageRecord.LABEL, "label");
  private static final MemorySegment[] KEY = names(ImageRecord.FILENAME, "file_name");

  private static final MemorySegment[] OWN = names(ImageRecord.OWN.toArray(String[]::new));

  private final ExampleReader example = new ExampleReader();

  /// A reusable reader.
  public ImageRecordReader() {}

  /// Sets what the sample is, from a record in its memory. Without a file name in the record, the
  /// key is `shard#record`.
  ///
  /// @param sample placed already, with the record at `start` of its memory
  /// @param shard base name of the shard
  /// @param record number of the record in it
  /// @param length bytes of the record
  /// @throws DecodeException with [Fault#MISMATCH] if it is no `tf.train.Example` or has no image;
  ///     the key is set by then if there is one
  public void fill(Sample sample, long start, long length, String shard, long record)
      throws DecodeException {
    example.read(sample.block().memory(), start, length);
    int key = find(KEY);
    if (key >= 0 && example.bytes(key, 0) && example.sliceLength() > 0) {
      sample.key(start + example.sliceStart(), Math.toIntExact(example.sliceLength()));
    } else {
      sample.key(shard + '#' + record);
    }
    if (example.hasLists()) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "a tf.train.SequenceExample, with lists of features (%s): write a tf.train.Example for each picture"
              .formatted(String.join(", ", example.listNames())));
    }
    int label = find(LABEL);
    if (label >= 0) {
      sample.label(example.int64(label, Sample.NO_LABEL));
    }
    int encoded = find(ENCODED);
    if (encoded < 0 || !example.bytes(encoded, 0)) {
      throw new DecodeException(
          Fault.MISMATCH,
          "a tf.train.Example of %d features, but none is image/encoded with bytes"
              .formatted(example.count()));
    }
    sample.encoded(start + example.sliceStart(), example.sliceLength());
    for (int i = 0; i < example.count(); i++) {
      if (i != key && i != label && i != encoded && !isOwn(i)) {
        addField(sample, start, i);
      }
    }
  }

  /// {@return whether a feature is one that a record tells of its image, and so is told anew}
  private boolean isOwn(int feature) {
    for (MemorySegment name : OWN) {
      if (example.isNamed(feature, name)) {
        return true;
      }
    }
    return false;
  }

  private void addField(Sample sample, long start, int i) {
    long name = start + example.nameStart(i);
    int nameLength = Math.toIntExact(example.nameLength(i));
    if (isOneString(i)) {
      sample.addField(name, nameLength, start + example.sliceStart(), example.sliceLength(), false);
    } else {
      sample.addField(
          name, nameLength, start + example.valueStart(i), example.valueLength(i), true);
    }
  }

  private int find(MemorySegment[] names) {
    for (MemorySegment name : names) {
      int feature = example.find(name);
      if (feature >= 0) {
        return feature;
      }
    }
    return -1;
  }

  private boolean isOneString(int feature) {
    try {
      return example.kind(feature) == Kind.BYTES
          && !example.bytes(feature, 1)
          && example.bytes(feature, 0);
    } catch (DecodeException e) {
      return false; // a malformed list that nobody asked for stays as it is
    }
  }

  private static MemorySegment[] names(String... names) {
    MemorySegment[] segments = new MemorySegment[names.length];
    for (int i = 0; i < names.length; i++) {
      segments[i] = ExampleReader.name(names[i]);
    }
    return segments;
  }
}
