package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.ConfigException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// How sound is encoded. The content decides, never a file's name.
public enum AudioFormat {
  /// RIFF/WAVE and its 64-bit forms RF64 (EBU Tech 3306) and BW64 (ITU-R BS.2088): PCM, floating
  /// point, A-law, mu-law, ADPCM.
  WAV("wav"),
  /// RFC 9639.
  FLAC("flac"),
  /// ISO/IEC 11172-3 and 13818-3, layer III.
  MP3("mp3"),
  /// Ogg (RFC 3533) with Vorbis, Opus or FLAC in it.
  OGG("ogg");

  private final String label;

  AudioFormat(String label) {
    this.label = label;
  }

  /// {@return the name users type, and the usual file extension}
  public String label() {
    return label;
  }

  /// {@return the format that `bytes` start as, or null if it is none of these}
  ///
  /// An MP3 may start in the middle of a frame: one is found where three frames that agree follow
  /// each other within the first 4 KiB, unless the bytes are known to be something else.
  public static @Nullable AudioFormat detect(MemorySegment bytes) {
    if (starts(bytes, 8, "WAVE")
        && (starts(bytes, 0, "RIFF") || starts(bytes, 0, "RF64") || starts(bytes, 0, "BW64"))) {
      return WAV;
    }
    if (starts(bytes, 0, "OggS")) {
      return OGG;
    }
    long start = Id3.end(bytes);
    if (starts(bytes, start, "fLaC")) {
      return FLAC;
    }
    int first = MpegHeader.at(bytes, 0);
    if (start > 0 || (MpegHeader.valid(first) && !MpegHeader.free(first))) {
      return MP3;
    }
    return NotAudio.known(bytes) == null && MpegFrames.found(bytes) ? MP3 : null;
  }

  /// {@return whether the ASCII characters of `magic` lie at `at`}
  static boolean starts(MemorySegment bytes, long at, String magic) {
    if (bytes.byteSize() - at < magic.length()) {
      return false;
    }
    for (int i = 0; i < magic.length(); i++) {
      if ((bytes.get(JAVA_BYTE, at + i) & 0xff) != magic.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /// {@return the format with that label}
  ///
  /// @throws ConfigException if there is none
  public static AudioFormat of(String label) {
    for (AudioFormat format : values()) {
      if (format.label.equals(label)) {
        return format;
      }
    }
    throw new ConfigException(
        "unknown audio format '" + label + "': expected wav, flac, mp3 or ogg");
  }
}
