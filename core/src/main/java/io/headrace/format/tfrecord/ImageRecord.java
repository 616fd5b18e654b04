package io.headrace.format.tfrecord;

import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import io.headrace.format.example.ExampleWriter;
import io.headrace.format.example.Feature;
import io.headrace.memory.Block;
import io.headrace.sound.AudioFormat;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// What a record says about one image, under the names that TensorFlow's image models use
/// (`image/encoded`, `image/class/label` and so on; `tensorflow/models`, `research/slim/datasets`).
///
/// A sound has `audio/encoded` and so on, with its sample rate for a width and its frames for a
/// height.
///
/// @param key `image/filename`; left out if empty
/// @param label `image/class/label`; left out if [Sample#NO_LABEL]
/// @param classText `image/class/text`; left out if empty
/// @param format `image/format`, such as `jpeg`; left out if empty
/// @param width `image/width`, in pixels; left out if 0
/// @param height `image/height`, in pixels; left out if 0
/// @param channels `image/channels`, which also gives `image/colorspace`; left out if 0
public record ImageRecord(
    String key, long label, String classText, String format, int width, int height, int channels) {
  static final String ENCODED = "image/encoded";
  static final String FILENAME = "image/filename";
  static final String LABEL = "image/class/label";

  static final String TEXT = "image/class/text";

  /// Features that say what the image itself says, and so are made anew for each record.
  static final Set<String> DERIVED =
      Set.of(
          "image/format",
          "image/width",
          "image/height",
          "image/channels",
          "image/colorspace",
          "audio/format",
          "audio/sample_rate",
          "audio/frames",
          "audio/channels");

  /// The names of a sound, in the manner of those of an image.
  static final String AUDIO_ENCODED = "audio/encoded";

  static final String AUDIO_FILENAME = "audio/filename";
  static final String AUDIO_LABEL = "audio/class/label";
  static final String AUDIO_TEXT = "audio/class/text";

  /// Serialises a `tf.train.Example` of this and the image.
  ///
  /// @param encoded the image as it is stored
  /// @return the message at the start of `into`, a view
  /// @throws DecodeException if the memory budget does not allow it
  public MemorySegment write(MemorySegment encoded, Block into) throws DecodeException {
    return ExampleWriter.write(features(encoded), into);
  }

  /// As [#write(MemorySegment, Block)], with the other fields of a sample: plain values as features
  /// of one byte string. A field whose name is taken gets `_` added to it.
  ///
  /// @param others a sample whose fields are written
  public MemorySegment write(MemorySegment encoded, Sample others, Block into)
      throws DecodeException {
    Map<String, Feature> features = features(encoded);
    Map<String, MemorySegment> ready = new LinkedHashMap<>();
    for (int i = 0; i < others.fields(); i++) {
      String name = others.fieldName(i);
      while (features.containsKey(name) || ready.containsKey(name)) {
        name += "_";
      }
      if (others.isFeature(i)) {
        ready.put(name, others.field(i));
      } else {
        features.put(name, Feature.of(others.field(i)));
      }
    }
    return ExampleWriter.write(features, ready, into);
  }

  private Map<String, Feature> features(MemorySegment encoded) {
    Map<String, Feature> features = new LinkedHashMap<>();
    if (isSound()) {
      features.put(AUDIO_ENCODED, Feature.of(encoded));
      putText(features, AUDIO_FILENAME, key);
      putText(features, AUDIO_TEXT, classText);
      putText(features, "audio/format", format);
      if (label != Sample.NO_LABEL) {
        features.put(AUDIO_LABEL, Feature.of(label));
      }
      putSize(features, "audio/sample_rate", width);
      putSize(features, "audio/frames", height);
      putSize(features, "audio/channels", channels);
      return features;
    }
    features.put(ENCODED, Feature.of(encoded));
    putText(features, FILENAME, key);
    putText(features, TEXT, classText);
    putText(features, "image/format", format);
    if (label != Sample.NO_LABEL) {
      features.put(LABEL, Feature.of(label));
    }
    putSize(features, "image/width", width);
    putSize(features, "image/height", height);
    putSize(features, "image/channels", channels);
    putText(features, "image/colorspace", colorspace());
    return features;
  }

  /// {@return whether it is about a sound, whose features are named `audio/encoded` and so on}
  boolean isSound() {
    for (AudioFormat sound : AudioFormat.values()) {
      if (sound.label().equals(format)) {
        return true;
      }
    }
    return false;
  }

  String colorspace() {
    return switch (channels) {
      case 1 -> "Grayscale";
      case 3 -> "RGB";
      case 4 -> "RGBA";
      default -> "";
    };
  }

  private static void putText(Map<String, Feature> features, String name, String text) {
    if (!text.isEmpty()) {
      features.put(name, Feature.of(text));
    }
  }

  private static void putSize(Map<String, Feature> features, String name, int size) {
    if (size > 0) {
      features.put(name, Feature.of((long) size));
    }
  }
}
