package io.headrace.format.tfrecord;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import java.lang.foreign.MemorySegment;

/// Finds image, label and key in a record of [ImageRecord]'s feature names, or of those that
/// TensorFlow Datasets uses (`image`, `label`, `file_name`). Confined to one thread.
public final class ImageRecordReader {
  private static final MemorySegment[] ENCODED = names(ImageRecord.ENCODED, "image");
  private static final MemorySegment[] LABEL = names(ImageRecord.LABEL, "label");
  private static final MemorySegment[] KEY = names(ImageRecord.FILENAME, "file_name");

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
    example.read(sample.block().memory().asSlice(start, length));
    int key = find(KEY);
    if (key >= 0 && example.bytes(key, 0) && example.sliceLength() > 0) {
      sample.key(start + example.sliceStart(), Math.toIntExact(example.sliceLength()));
    } else {
      sample.key(shard + '#' + record);
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

  private static MemorySegment[] names(String... names) {
    MemorySegment[] segments = new MemorySegment[names.length];
    for (int i = 0; i < names.length; i++) {
      segments[i] = ExampleReader.name(names[i]);
    }
    return segments;
  }
}
