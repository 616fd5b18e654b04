package io.headrace.format.tfrecord;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Content;
import io.headrace.format.OpenOptions;
import io.headrace.format.Sample;
import io.headrace.format.example.ExampleReader;
import io.headrace.format.example.ExampleReader.Kind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Finds image, label and key in a record of [ImageRecord]'s feature names, of those that
/// TensorFlow Datasets uses (`image`, `label`, `file_name`), or of those that a user says. Confined
/// to one thread.
///
/// A label is a whole number, or a text that names its class. A list of several, such as a one-hot
/// vector, is no class: it stays a field, and the sample has no label.
public final class ImageRecordReader {
  private static final List<MemorySegment> DERIVED = names(ImageRecord.DERIVED);

  /// The largest whole numbers that a float holds exactly.
  private static final float MAX_WHOLE = 1 << 24;

  private final Names names;
  private final ExampleReader example = new ExampleReader();

  /// Which features are what: the names to look for, in turn.
  ///
  /// @param image of encoded bytes
  /// @param label of the class
  /// @param key of the sample's name
  /// @param text of the class's name, which is no field; none where nobody else knows it
  record Names(
      List<MemorySegment> image,
      List<MemorySegment> label,
      List<MemorySegment> key,
      List<MemorySegment> text) {
    /// The usual ones, where class names are known.
    static final Names USUAL = of(OpenOptions.DEFAULT, true);

    /// {@return the names that were said, and for the rest the usual ones}
    ///
    /// @param classes whether the classes' names are known, so that a record's is told anew
    static Names of(OpenOptions options, boolean classes) {
      return new Names(
          names(
              options.names(
                  OpenOptions.IMAGE,
                  List.of(ImageRecord.ENCODED, "image", ImageRecord.AUDIO_ENCODED, "audio"))),
          names(
              options.names(
                  OpenOptions.LABEL,
                  classes
                      ? List.of(ImageRecord.LABEL, "label", ImageRecord.AUDIO_LABEL)
                      : List.of(
                          ImageRecord.LABEL,
                          "label",
                          ImageRecord.AUDIO_LABEL,
                          ImageRecord.TEXT,
                          ImageRecord.AUDIO_TEXT))),
          names(
              options.names(
                  OpenOptions.KEY,
                  List.of(ImageRecord.FILENAME, "file_name", ImageRecord.AUDIO_FILENAME))),
          classes ? names(List.of(ImageRecord.TEXT, ImageRecord.AUDIO_TEXT)) : List.of());
    }
  }

  /// A reusable reader that looks for the usual names.
  public ImageRecordReader() {
    this(Names.USUAL);
  }

  ImageRecordReader(Names names) {
    this.names = names;
  }

  /// Sets what the sample is, from a record in its memory. Without a file name in the record, the
  /// key is `shard#record`.
  ///
  /// @param sample placed already, with the record at `start` of its memory
  /// @param shard base name of the shard
  /// @param record number of the record in it
  /// @param length bytes of the record
  /// @throws DecodeException with [Fault#MISMATCH] if it is no `tf.train.Example`, has no image or
  ///     several, or a label that can be none; the key is set by then if there is one
  public void fill(Sample sample, long start, long length, String shard, long record)
      throws DecodeException {
    example.read(sample.block().memory(), start, length);
    int key = find(names.key);
    if (key >= 0 && example.bytes(key, 0) && example.sliceLength() > 0) {
      sample.key(start + example.sliceStart(), Math.toIntExact(example.sliceLength()));
    } else {
      sample.key(shard + '#' + record);
      key = -1;
    }
    if (example.hasLists()) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "a tf.train.SequenceExample, with lists of features (%s): write a tf.train.Example for each picture"
              .formatted(String.join(", ", example.listNames())));
    }
    int encoded = find(names.image);
    if (encoded < 0 || example.kind(encoded) != Kind.BYTES || example.values(encoded) == 0) {
      throw new DecodeException(Fault.MISMATCH, noImage(sample, start));
    }
    if (example.bytes(encoded, 1)) {
      throw new DecodeException(
          Fault.MISMATCH,
          "several byte strings in %s: expected one image".formatted(example.name(encoded)));
    }
    boolean _ = example.bytes(encoded, 0);
    sample.encoded(start + example.sliceStart(), example.sliceLength());
    int label = find(names.label);
    boolean list = label >= 0 && !setLabel(sample, start, label);
    for (int i = 0; i < example.count(); i++) {
      if (i != key && i != label && i != encoded && !isToldAnew(i)) {
        addField(sample, start, i);
      }
    }
    if (list) {
      addField(sample, start, label);
      sample.labelInField();
    }
  }

  /// {@return whether the label is one, or none at all; false if it is a list of several}
  private boolean setLabel(Sample sample, long start, int label) throws DecodeException {
    int count = example.values(label);
    if (count != 1) {
      return count == 0;
    }
    switch (example.kind(label)) {
      case INT64S -> sample.label(example.int64(label, Sample.NO_LABEL));
      case FLOATS -> sample.label(whole(example.floats(label)[0], label));
      case BYTES -> {
        boolean _ = example.bytes(label, 0);
        sample.labelText(start + example.sliceStart(), example.sliceLength());
      }
      case NOT_SET -> {}
    }
    return true;
  }

  private long whole(float value, int label) throws DecodeException {
    if (value != Math.rint(value) || Math.abs(value) > MAX_WHOLE) {
      throw new DecodeException(
          Fault.MISMATCH,
          "%s is %s, which is no class: --features label= keeps it as a field"
              .formatted(example.name(label), value));
    }
    return (long) value;
  }

  /// {@return what is there in place of an image, and how to say which feature is the image}
  private String noImage(Sample sample, long start) throws DecodeException {
    List<String> found = new ArrayList<>();
    List<String> images = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < example.count(); i++) {
      found.add("%s (%s)".formatted(example.name(i), kindOf(i)));
      if (isOneString(i) && isImage(sample, start)) {
        images.add(example.name(i));
      } else if (example.kind(i) == Kind.INT64S && example.values(i) == 1) {
        labels.add(example.name(i));
      }
    }
    String hint =
        images.size() == 1 && labels.size() == 1
            ? "image=%s,label=%s".formatted(images.getFirst(), labels.getFirst())
            : images.isEmpty() ? "image=NAME,label=NAME" : "image=" + images.getFirst();
    return ("a tf.train.Example of %d features, but none is %s with bytes: there are %s; --features"
            + " %s says which is which")
        .formatted(
            found.size(),
            wanted(names.image),
            found.isEmpty()
                ? "none"
                : String.join(", ", found.subList(0, Math.min(20, found.size()))),
            hint);
  }

  private String kindOf(int feature) {
    return switch (example.kind(feature)) {
      case BYTES -> "bytes";
      case FLOATS -> "float";
      case INT64S -> "int64";
      case NOT_SET -> "empty";
    };
  }

  private boolean isImage(Sample sample, long start) {
    long at = start + example.sliceStart();
    return Content.of(sample.block().memory().asSlice(at, example.sliceLength())) != null;
  }

  private static String wanted(List<MemorySegment> names) {
    List<String> words = new ArrayList<>();
    for (MemorySegment name : names) {
      words.add(new String(name.toArray(JAVA_BYTE), UTF_8));
    }
    return String.join(" or ", words);
  }

  /// {@return whether a feature is one that a record tells of its image, and so is told anew}
  private boolean isToldAnew(int feature) {
    for (int i = 0; i < DERIVED.size(); i++) {
      if (example.isNamed(feature, DERIVED.get(i))) {
        return true;
      }
    }
    for (int i = 0; i < names.text.size(); i++) {
      if (example.isNamed(feature, names.text.get(i))) {
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

  private int find(List<MemorySegment> names) {
    for (int i = 0; i < names.size(); i++) { // an iterator would be garbage of every sample
      int feature = example.find(names.get(i));
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

  private static List<MemorySegment> names(Collection<String> names) {
    return names.stream().map(ExampleReader::name).toList();
  }
}
