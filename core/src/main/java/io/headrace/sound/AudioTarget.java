package io.headrace.sound;

import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// How sounds are to be encoded, whatever their bits: with a sound it becomes an [AudioEncoding].
///
/// @param kind of encoding
/// @param setting level of FLAC, kbit/s of MP3, quality of MP3 or Vorbis; 0 for WAV
public record AudioTarget(Kind kind, double setting) {
  /// The spellings there are, for messages.
  public static final String SPELLINGS =
      "wav, flac[:LEVEL], mp3:KILOBITS, mp3:vQUALITY, vorbis[:QUALITY]";

  private static final int FLAC_LEVEL = 5;
  private static final int MP3_QUALITY = 4;
  private static final double VORBIS_QUALITY = 0.4;

  /// Bits of sound that has none of its own, since its encoding is lossy.
  private static final int BITS_OF_LOSSY = 16;

  private static final int MAX_FLAC_BITS = 24;

  /// A kind of encoding.
  public enum Kind {
    /// Samples as they are: whole numbers of as many bits, or floating-point numbers.
    WAV,
    /// Lossless, up to 24 bits.
    FLAC,
    /// Has a constant bit rate.
    MP3,
    /// Has a constant quality.
    MP3_VBR,
    /// Ogg Vorbis.
    VORBIS
  }

  /// Checks the setting.
  public AudioTarget {
    var _ = encoding(kind, setting, BITS_OF_LOSSY, false);
  }

  /// {@return the target that a spelling names, or null if its name is none of these}
  ///
  /// @throws ConfigException if its setting makes no sense
  public static @Nullable AudioTarget parse(Spec spec) {
    AudioTarget target =
        switch (spec.name()) {
          case "wav" -> new AudioTarget(Kind.WAV, 0);
          case "flac" -> new AudioTarget(Kind.FLAC, spec.number("level", FLAC_LEVEL));
          case "vorbis" -> {
            String quality = spec.next();
            yield new AudioTarget(
                Kind.VORBIS, quality == null ? VORBIS_QUALITY : spec.decimal("quality", quality));
          }
          case "mp3" -> {
            String option = spec.next();
            boolean constant = option != null && !option.startsWith("v");
            yield constant
                ? new AudioTarget(Kind.MP3, spec.number("kilobits", String.valueOf(option)))
                : new AudioTarget(
                    Kind.MP3_VBR,
                    option == null ? MP3_QUALITY : spec.number("quality", option.substring(1)));
          }
          default -> null;
        };
    return target == null ? null : spec.end(target);
  }

  /// {@return the text that [#parse] takes}
  public String spec() {
    String number = BigDecimal.valueOf(setting).stripTrailingZeros().toPlainString();
    return switch (kind) {
      case WAV -> "wav";
      case FLAC -> "flac:" + number;
      case MP3 -> "mp3:" + number;
      case MP3_VBR -> "mp3:v" + number;
      case VORBIS -> "vorbis:" + number;
    };
  }

  /// {@return whether samples change}
  public boolean lossy() {
    return kind != Kind.WAV && kind != Kind.FLAC;
  }

  /// {@return the format it makes}
  public AudioFormat format() {
    return encoding(kind, setting, BITS_OF_LOSSY, false).format();
  }

  /// {@return the encoding of a sound, or null if this loses bits of it that it should not lose}
  ///
  /// WAV of lossy sound holds floating-point numbers, so that they are those that decoding gives;
  /// FLAC of it has 16 bits.
  public @Nullable AudioEncoding of(AudioInfo info) {
    boolean floating = info.floating();
    int bits = info.bits();
    return switch (kind) {
      case WAV ->
          bits > 32 // float64
              ? null
              : encoding(kind, setting, bits == 0 ? 32 : bits, floating || bits == 0);
      case FLAC ->
          floating || bits > MAX_FLAC_BITS
              ? null
              : encoding(kind, setting, bits == 0 ? BITS_OF_LOSSY : bits, false);
      case MP3, MP3_VBR, VORBIS -> encoding(kind, setting, BITS_OF_LOSSY, false);
    };
  }

  /// {@return the encoding of samples of 16 bits}
  public AudioEncoding ofShorts() {
    return encoding(kind, setting, BITS_OF_LOSSY, false);
  }

  private static AudioEncoding encoding(Kind kind, double setting, int bits, boolean floating) {
    int whole = bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 24 ? 24 : 32;
    return switch (kind) {
      case WAV -> floating ? new AudioEncoding.Wav(32, true) : new AudioEncoding.Wav(whole);
      case FLAC -> new AudioEncoding.Flac(whole, (int) setting);
      case MP3 -> new AudioEncoding.Mp3((int) setting);
      case MP3_VBR -> new AudioEncoding.Mp3Vbr((int) setting);
      case VORBIS -> new AudioEncoding.Vorbis(setting);
    };
  }
}
