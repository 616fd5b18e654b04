package io.headrace.sound;

import io.headrace.error.ConfigException;

/// How sound is to be encoded.
public sealed interface AudioEncoding {
  /// {@return the format it makes}
  default AudioFormat format() {
    return switch (this) {
      case Wav _ -> AudioFormat.WAV;
      case Flac _ -> AudioFormat.FLAC;
      case Mp3 _, Mp3Vbr _ -> AudioFormat.MP3;
      case Vorbis _ -> AudioFormat.OGG;
    };
  }

  /// Uncompressed samples.
  ///
  /// @param bits of a sample: 8 (unsigned), 16, 24 or 32
  /// @param floating whether they are floating-point numbers, of 32 bits
  record Wav(int bits, boolean floating) implements AudioEncoding {
    /// Checks the width.
    public Wav {
      if (floating ? bits != 32 : bits != 8 && bits != 16 && bits != 24 && bits != 32) {
        throw new ConfigException(
            "WAV of %d %s: expected 8, 16, 24 or 32 bits, or 32-bit floating point"
                .formatted(bits, floating ? "floating-point bits" : "bits"));
      }
    }

    /// Integers.
    ///
    /// @param bits 8, 16, 24 or 32
    public Wav(int bits) {
      this(bits, false);
    }
  }

  /// Lossless compression.
  ///
  /// @param bits of a sample: 8, 16 or 24
  /// @param level 0 (fast) to 8 (small); 5 is the usual one
  record Flac(int bits, int level) implements AudioEncoding {
    /// Checks the ranges.
    public Flac {
      if (bits != 8 && bits != 16 && bits != 24) {
        throw new ConfigException("FLAC of " + bits + " bits: expected 8, 16 or 24");
      }
      if (level < 0 || level > 8) {
        throw new ConfigException("FLAC level " + level + ": expected 0 to 8");
      }
    }
  }

  /// MP3 of a constant bit rate, by LAME, which makes the sound 5 % quieter there.
  ///
  /// @param kilobits a second: 32 to 320 for sample rates of 32 kHz and more, 8 to 160 below; LAME
  ///     takes the nearest that the format has, at most 64 below 16 kHz
  record Mp3(int kilobits) implements AudioEncoding {
    /// Checks the range.
    public Mp3 {
      if (kilobits < 8 || kilobits > 320) {
        throw new ConfigException("MP3 of " + kilobits + " kbit/s: expected 8 to 320");
      }
    }
  }

  /// MP3 of varying bit rate, by LAME.
  ///
  /// @param quality 0 (best) to 9, as LAME's `-V`
  record Mp3Vbr(int quality) implements AudioEncoding {
    /// Checks the range.
    public Mp3Vbr {
      if (quality < 0 || quality > 9) {
        throw new ConfigException("MP3 quality V" + quality + ": expected 0 to 9");
      }
    }
  }

  /// Ogg Vorbis.
  ///
  /// @param quality 0 to 1, a tenth of `oggenc -q`
  record Vorbis(double quality) implements AudioEncoding {
    /// Checks the range.
    public Vorbis {
      if (!(quality >= 0 && quality <= 1)) {
        throw new ConfigException("Vorbis quality " + quality + ": expected 0 to 1");
      }
    }
  }
}
