package io.headrace.sound;

import io.headrace.error.DecodeException;
import io.headrace.sound.framing.Id3;
import io.headrace.sound.framing.Magic;
import io.headrace.sound.framing.MpegFrames;
import io.headrace.sound.framing.MpegHeader;
import io.headrace.sound.framing.NotAudio;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How sound is encoded. The content decides, never a file's name.
public enum AudioFormat {
  /// RIFF/WAVE and its 64-bit forms RF64 (EBU Tech 3306) and BW64 (ITU-R BS.2088): PCM, floating
  /// point, A-law, mu-law, ADPCM.
  WAV(32, "wav", "wav", "wave"),
  /// RFC 9639.
  FLAC(33, "flac", "flac"),
  /// ISO/IEC 11172-3 and 13818-3, layer III.
  MP3(34, "mp3", "mp3"),
  /// Ogg (RFC 3533) with Vorbis, Opus or FLAC in it.
  OGG(35, "ogg", "ogg", "oga", "opus");

  private static final AudioFormat[] ALL = values(); // each call would make a copy

  private final int number;
  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> extensions;

  AudioFormat(int number, String label, String... extensions) {
    this.number = number;
    this.label = label;
    this.extensions = List.of(extensions);
  }

  /// {@return the number that stands for it in an index; it never changes. Those of image formats
  ///     are below 32}
  public int number() {
    return number;
  }

  /// {@return the extensions that its files have, in lower case, the usual one first}
  public List<String> extensions() {
    return extensions;
  }

  /// {@return the extensions that promise sound, in lower case}
  public static List<String> promising() {
    return Arrays.stream(ALL).flatMap(format -> format.extensions.stream()).toList();
  }

  /// {@return what is wrong with bytes that are not sound of a format read here, or null if they
  ///     are}
  ///
  /// @param bytes the first of a file, or all
  public static @Nullable DecodeException fault(MemorySegment bytes) {
    return detect(bytes) == null ? NotAudio.refusal(bytes) : null;
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
    if (Magic.at(bytes, 8, "WAVE")
        && (Magic.at(bytes, 0, "RIFF")
            || Magic.at(bytes, 0, "RF64")
            || Magic.at(bytes, 0, "BW64"))) {
      return WAV;
    }
    if (Magic.at(bytes, 0, "OggS")) {
      return OGG;
    }
    long start = Id3.end(bytes);
    if (Magic.at(bytes, start, "fLaC")) {
      return FLAC;
    }
    int first = MpegHeader.at(bytes, 0);
    if (start > 0 || (MpegHeader.valid(first) && !MpegHeader.free(first))) {
      return MP3;
    }
    return NotAudio.known(bytes) == null && MpegFrames.found(bytes) ? MP3 : null;
  }
}
