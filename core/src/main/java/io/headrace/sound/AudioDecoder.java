package io.headrace.sound;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.sound.framing.NotAudio;
import io.headrace.sound.framing.OggStream;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decodes sound of any format: the one decoder a worker needs.
///
/// The content decides which codec reads it: libsndfile reads Ogg and compressed WAV, libmpg123
/// reads MP3; FLAC and plain WAV need no library. Codecs are made when first needed. One
/// thread at a time may use it; any thread may close it when none uses it.
///
/// Lengths are exact. An MP3 whose first frame carries LAME's numbers gives back as many samples as
/// the encoder was given, aligned with them: encoder delay, 529 samples of decoder delay and
/// padding are taken off. An MP3 without them gives all its samples. The encoder's delay comes
/// first, and its length is not known.
///
/// Decoding is strict: data that ends early or is damaged fails, unless [#salvage] is asked for.
/// Sound that can be decoded in full although something is odd about it leaves [#notes].
public final class AudioDecoder implements AutoCloseable {
  /// The most frames of sound if no other bound is given: three hours at 48 kHz.
  public static final long MAX_FRAMES = 3L * 3600 * 48_000;

  private final boolean trim;
  private final Target target;
  private final FlacDecoder flac = new FlacDecoder();
  private final WavDecoder wav = new WavDecoder();
  private @Nullable SoundFileDecoder files;
  private @Nullable Mp3Decoder mp3;
  private List<AudioNote> notes = List.of();
  private long noted;

  /// A decoder that takes [#MAX_FRAMES] and takes off encoder delay and padding.
  public AudioDecoder() {
    this(MAX_FRAMES, true);
  }

  /// @param maxFrames frames that sound may have
  /// @param trim whether the delay and padding of an MP3 are taken off; if not, all its samples are
  ///     given, 1152 or 576 a frame
  public AudioDecoder(long maxFrames, boolean trim) {
    target = new Target(maxFrames);
    this.trim = trim;
  }

  /// Says what sound is and how long, without decoding it. An MP3 is walked through, frame by
  /// frame.
  ///
  /// @param encoded one whole file, off heap
  /// @throws DecodeException with [Fault#MISMATCH], saying what it is, if it is not sound; with
  ///     [Fault#UNSUPPORTED], saying what it is, if it is sound of another kind; with
  ///     [Fault#TRUNCATED] or [Fault#CORRUPT] if its headers are cut or damaged; with [Fault#LIMIT]
  ///     if there are too many frames
  /// @throws ConfigException if the C library for the format is missing
  public AudioInfo probe(MemorySegment encoded) throws DecodeException {
    AudioFormat format = detect(encoded);
    AudioInfo info =
        switch (format) {
          case MP3 -> mp3().probe(encoded);
          case FLAC -> flac.probe(encoded);
          case WAV -> wav.open(encoded) ? wav.info() : files().probe(encoded, wav.chunks());
          case OGG ->
              OggStream.isFlac(encoded) ? flac.probe(encoded) : files().probe(encoded, null);
        };
    target.require(format.label(), info.frames());
    return info;
  }

  private AudioFormat detect(MemorySegment encoded) throws DecodeException {
    if (!encoded.isNative()) {
      throw new IllegalArgumentException("sound must lie off heap");
    }
    notes = List.of();
    AudioFormat format = AudioFormat.detect(encoded);
    if (format == null) {
      throw NotAudio.refusal(encoded);
    }
    return format;
  }

  /// Decodes sound of any length.
  ///
  /// @param encoded one whole file, off heap
  /// @param type of the samples
  /// @param out takes `type` [frames, channels] at its start; it grows with what is decoded, not
  ///     with what a header announces
  /// @return frames
  /// @throws DecodeException as [#probe] does, and if the sound is cut or damaged; `out` is then
  ///     undefined; with [Fault#LIMIT] also if the memory budget of `out` does not allow it
  /// @throws ConfigException if the C library for the format is missing
  public long decode(MemorySegment encoded, SampleType type, Block out) throws DecodeException {
    target.set(type, out);
    return decode(encoded, false);
  }

  /// Decodes sound of known length.
  ///
  /// @param encoded one whole file, off heap
  /// @param info as [#probe] reported it
  /// @param type of the samples
  /// @param samples `type` [frames, channels], off heap, at least [AudioInfo#bytes] bytes; bytes
  ///     after those stay as they are
  /// @throws DecodeException if the sound is cut, damaged or not as announced; `samples` is then
  ///     undefined
  /// @throws ConfigException if the C library for the format is missing
  public void decode(MemorySegment encoded, AudioInfo info, SampleType type, MemorySegment samples)
      throws DecodeException {
    if (!samples.isNative() || samples.byteSize() < info.bytes(type)) {
      throw new IllegalArgumentException(
          "samples take %d bytes off heap, the segment has %d"
              .formatted(info.bytes(type), samples.byteSize()));
    }
    target.set(type, samples.asSlice(0, info.bytes(type)));
    long frames = decode(encoded, false);
    if (frames != info.frames()) {
      throw new DecodeException(
          Fault.MISMATCH,
          "%s: has %d frames, %d were announced"
              .formatted(info.format().label(), frames, info.frames()));
    }
  }

  /// Decodes a part of sound, where that can be done without decoding all of it: the same samples
  /// as those of the whole. Damage elsewhere may go unnoticed.
  ///
  /// @param encoded one whole file, off heap
  /// @param info as [#probe] reported it
  /// @param from first frame
  /// @param samples takes the frames, float32 [frames, channels]
  /// @return whether it could be done; if not, `samples` is undefined, and [#decode] can tell
  public boolean decodePart(
      MemorySegment encoded, AudioInfo info, long from, MemorySegment samples) {
    long count = samples.byteSize() / Float.BYTES / info.channels();
    try {
      return switch (info.format()) {
        case MP3 -> mp3().decodePart(encoded, from, count, samples);
        case WAV -> wav.open(encoded) && wav.decodePart(from, samples);
        case FLAC, OGG -> false;
      };
    } catch (DecodeException e) {
      return false; // the whole says what is wrong
    }
  }

  /// Decodes what is left of sound that may be cut or damaged; [#notes] say what was wrong.
  /// FLAC has silence where frames are damaged or missing.
  ///
  /// @param encoded one whole file, off heap
  /// @param type of the samples
  /// @param out takes `type` [frames, channels] at its start
  /// @return frames
  /// @throws DecodeException if there is nothing to decode
  /// @throws ConfigException if the C library for the format is missing
  public long salvage(MemorySegment encoded, SampleType type, Block out) throws DecodeException {
    target.set(type, out);
    return decode(encoded, true);
  }

  private long decode(MemorySegment encoded, boolean lenient) throws DecodeException {
    try {
      AudioFormat format = detect(encoded);
      long frames =
          switch (format) {
            case MP3 -> mp3().decode(encoded, target, lenient);
            case FLAC -> flac.decode(encoded, target, lenient);
            case WAV ->
                wav.open(encoded)
                    ? wav.decode(target, lenient)
                    : files().decode(encoded, wav.chunks(), target, lenient);
            case OGG ->
                OggStream.isFlac(encoded)
                    ? flac.decode(encoded, target, lenient)
                    : files().decode(encoded, null, target, lenient);
          };
      notes =
          switch (format) {
            case MP3 -> mp3().notes();
            case FLAC -> flac.notes();
            case WAV -> wav.chunks().plain() ? wav.notes() : files().notes();
            case OGG -> OggStream.isFlac(encoded) ? flac.notes() : files().notes();
          };
      noted += notes.isEmpty() ? 0 : 1;
      return frames;
    } finally {
      target.clear();
    }
  }

  /// Checks a FLAC stream against the MD5 of its samples, which decoding does not check.
  ///
  /// @param encoded one whole file, off heap
  /// @return whether there is a checksum: FLAC may leave it out, other formats have none
  /// @throws DecodeException with [Fault#CORRUPT] if the samples have another
  public boolean verify(MemorySegment encoded) throws DecodeException {
    AudioFormat format = detect(encoded);
    boolean checked =
        format == AudioFormat.FLAC || (format == AudioFormat.OGG && OggStream.isFlac(encoded));
    return checked && flac.verify(encoded);
  }

  /// {@return what was odd about the sound decoded last, usually nothing; valid until the next}
  public List<AudioNote> notes() {
    return notes;
  }

  /// {@return sounds decoded that left notes, since this was made}
  public long warnings() {
    return noted;
  }

  private SoundFileDecoder files() {
    SoundFileDecoder decoder = files;
    if (decoder == null) {
      decoder = new SoundFileDecoder();
      files = decoder;
    }
    return decoder;
  }

  private Mp3Decoder mp3() {
    Mp3Decoder decoder = mp3;
    if (decoder == null) {
      decoder = new Mp3Decoder(trim);
      mp3 = decoder;
    }
    return decoder;
  }

  @Override
  public void close() {
    flac.close();
    if (files != null) {
      files.close();
    }
    if (mp3 != null) {
      mp3.close();
    }
  }
}
