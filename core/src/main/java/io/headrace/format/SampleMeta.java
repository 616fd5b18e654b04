package io.headrace.format;

/// What is known about one image or sound that is to be written, beside its bytes.
///
/// @param key names the sample in every container, such as `cat/0001.jpg`
/// @param label class number, or [Sample#NO_LABEL]
/// @param className of the label; empty if not known
/// @param format of the encoded bytes, as [io.headrace.codec.ImageFormat#label] or
///     [io.headrace.sound.AudioFormat#label] says it
/// @param width in pixels, without padding; of a sound its frames a second
/// @param height in pixels; of a sound its frames, at most 2^31 - 1
/// @param channels of the encoded image, 1 to 4; of a sound, at most 255
/// @param parts the encoded bytes fall into
public record SampleMeta(
    String key,
    long label,
    String className,
    String format,
    int width,
    int height,
    int channels,
    Parts parts) {
  /// An image in one part.
  public SampleMeta(
      String key,
      long label,
      String className,
      String format,
      int width,
      int height,
      int channels) {
    this(key, label, className, format, width, height, channels, Parts.WHOLE);
  }
}
