package io.headrace.codec.png;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.error.ConfigException;

/// PNG of 8 bits a channel, or 16.
///
/// @param level of deflate, 0 to 9
public record PngEncoding(int level) implements ImageEncoding {
  /// zlib's own default level.
  public static final PngEncoding DEFAULT = new PngEncoding(6);

  /// Checks the range.
  public PngEncoding {
    if (level < 0 || level > 9) {
      throw new ConfigException("PNG compression level " + level + ": expected 0 to 9");
    }
  }

  @Override
  public ImageFormat format() {
    return ImageFormat.PNG;
  }

  @Override
  public String spec() {
    return level == DEFAULT.level ? "png" : "png:" + level;
  }

  @Override
  public boolean holds16Bits() {
    return true;
  }

  @Override
  public boolean keepsItsFormat() {
    return true;
  }
}
