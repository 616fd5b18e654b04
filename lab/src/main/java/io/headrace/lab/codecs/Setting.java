package io.headrace.lab.codecs;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.lossless.LosslessLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An encoding at one setting.
///
/// @param name for people
/// @param encoding what to encode to, or null for the images as they were found
public record Setting(String name, @Nullable ImageEncoding encoding) {
  private static final int[] JPEG = {95, 85, 75, 50};
  private static final int[] WEBP = {85, 75, 50};
  private static final int[] AVIF = {75, 50};

  /// {@return every image encoding at its usual settings, the images as they were found first}
  public static List<Setting> images() {
    List<Setting> all = new ArrayList<>();
    all.add(new Setting("original", null));
    for (int quality : JPEG) {
      all.add(new Setting("jpeg " + quality, new ImageEncoding.Jpeg(quality)));
    }
    for (int quality : WEBP) {
      all.add(new Setting("webp " + quality, new ImageEncoding.Webp(quality)));
    }
    for (int quality : AVIF) {
      all.add(new Setting("avif " + quality, new ImageEncoding.Avif(quality)));
    }
    all.add(new Setting("png 6", ImageEncoding.Png.DEFAULT));
    all.add(new Setting("webp lossless", new ImageEncoding.WebpLossless()));
    all.add(new Setting("qoi", new ImageEncoding.Qoi()));
    for (LosslessLevel level : LosslessLevel.values()) {
      String name = "lossless " + level.name().toLowerCase(Locale.ROOT);
      all.add(new Setting(name, new ImageEncoding.Lossless(level)));
    }
    all.add(new Setting("bmp", new ImageEncoding.Bmp()));
    all.add(new Setting("raw", new ImageEncoding.Raw()));
    return all;
  }
}
