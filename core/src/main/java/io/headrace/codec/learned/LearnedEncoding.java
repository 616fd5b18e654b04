package io.headrace.codec.learned;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An encoding by a trained network.
///
/// @param format Headrace's own frame around the strings, or dl2's
/// @param model its name
/// @param quality of the model, or 0 if there is but one
public record LearnedEncoding(ImageFormat format, String model, int quality)
    implements ImageEncoding {
  private static final Pattern NUMBERED = Pattern.compile("(.+)-(\\d{1,2})");

  /// {@return the encoding with a model's file, without its suffix}
  static LearnedEncoding of(ImageFormat format, String file) {
    Matcher matcher = NUMBERED.matcher(file);
    return matcher.matches()
        ? new LearnedEncoding(format, matcher.group(1), Integer.parseInt(matcher.group(2)))
        : new LearnedEncoding(format, file, 0);
  }

  @Override
  public String spec() {
    return format.label() + ":" + model + (quality == 0 ? "" : ":" + quality);
  }

  @Override
  public boolean lossy() {
    return true;
  }
}
