package io.headrace.sound.framing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Names what bytes are that are not sound of a format read here.
public final class NotAudio {
  /// Sound in other formats: first bytes, one a character, and what they begin. `.` stands for any
  /// byte.
  private static final String[][] SOUND = {
    {"FORM....AIF", "an AIFF file"},
    {".snd", "a Sun audio file"},
    {"riff.\u0091\u00cf\u0011", "a Wave64 file"},
    {"....ftyp", "an MP4 or M4A file"},
    {"0&\u00b2u\u008ef\u00cf\u0011", "a Windows Media file"},
    {"\u001aE\u00df\u00a3", "a Matroska or WebM file"},
    {"caff", "a Core Audio file"},
    {"MThd", "a MIDI file"},
    {"wvpk", "a WavPack file"},
    {"MAC ", "a Monkey's Audio file"},
    {"#!AMR", "an AMR file"},
    {"RIFX", "a big-endian WAV file"},
    {"FLV\u0001", "a Flash video"},
  };

  /// What is not sound at all.
  private static final String[][] OTHER = {
    {"\u00ff\u00d8\u00ff", "a JPEG image"},
    {"\u0089PNG", "a PNG image"},
    {"GIF8", "a GIF image"},
    {"RIFF....WEBP", "a WebP image"},
    {"RIFF....AVI ", "an AVI video"},
    {"\u001f\u008b", "gzip data"},
    {"(\u00b5/\u00fd", "zstd data"},
    {"PK\u0003\u0004", "a zip archive"},
    {"%PDF", "a PDF document"},
    {"<?xml", "XML text"},
    {"<!DOCTYPE", "an HTML page"},
    {"<html", "an HTML page"},
  };

  private NotAudio() {}

  /// {@return what `bytes` are, or null if that is not known}
  public static @Nullable String known(MemorySegment bytes) {
    String sound = find(SOUND, bytes);
    return sound != null ? sound : find(OTHER, bytes);
  }

  /// {@return the error that says what `bytes` are}
  public static DecodeException refusal(MemorySegment bytes) {
    if (bytes.byteSize() == 0) {
      return new DecodeException(Fault.MISMATCH, "no bytes at all, not sound");
    }
    String sound = find(SOUND, bytes);
    if (sound != null) {
      return new DecodeException(
          Fault.UNSUPPORTED, sound + ": Headrace reads WAV, FLAC, MP3 and Ogg");
    }
    int header = MpegHeader.at(bytes, 0);
    if (MpegHeader.synced(header) && MpegHeader.layer(header) != MpegHeader.LAYER_3) {
      return new DecodeException(
          Fault.UNSUPPORTED,
          MpegHeader.layer(header) == 0
              ? "AAC in ADTS frames: Headrace reads WAV, FLAC, MP3 and Ogg"
              : "MPEG audio of layer %s: Headrace reads layer III"
                  .formatted(MpegHeader.layer(header) == 3 ? "I" : "II"));
    }
    String other = find(OTHER, bytes);
    if (other != null) {
      return new DecodeException(Fault.MISMATCH, other + ", not sound");
    }
    var text = new StringBuilder("not sound that Headrace reads: starts with");
    for (long i = 0; i < Math.min(4, bytes.byteSize()); i++) {
      text.append(" %02x".formatted(bytes.get(JAVA_BYTE, i) & 0xff));
    }
    return new DecodeException(Fault.MISMATCH, text.toString());
  }

  private static @Nullable String find(String[][] known, MemorySegment bytes) {
    for (String[] entry : known) {
      if (Magic.at(bytes, 0, entry[0])) {
        return entry[1];
      }
    }
    return null;
  }
}
