package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decodes WAV, FLAC and Ogg through libsndfile, from memory.
final class SoundFileDecoder implements AutoCloseable {
  /// Samples read in one call.
  private static final int CHUNK = 1 << 15;

  private final Arena arena = Arena.ofConfined();
  private final SoundFileIo io = new SoundFileIo(arena);
  private final MemorySegment info = arena.allocate(SoundFile.INFO_BYTES, Long.BYTES);
  private final MemorySegment scratch = arena.allocate(CHUNK * (long) Integer.BYTES, Long.BYTES);
  private final FlacStream flac = new FlacStream();
  private final List<AudioNote> notes = new ArrayList<>();
  private MemorySegment sound = MemorySegment.NULL;
  private MemorySegment file = MemorySegment.NULL;
  private AudioFormat format = AudioFormat.WAV;

  /// @throws ConfigException if libsndfile is missing
  SoundFileDecoder() {
    NativeLibrary.SNDFILE.require();
  }

  /// {@return what was odd about the last sound}
  List<AudioNote> notes() {
    return notes;
  }

  AudioInfo probe(MemorySegment encoded, AudioFormat format) throws DecodeException {
    open(encoded, format);
    try {
      return info();
    } finally {
      close(file);
    }
  }

  /// Decodes sound.
  ///
  /// @param lenient whether damage becomes a note, not an exception
  /// @return frames
  long decode(
      MemorySegment encoded,
      AudioFormat format,
      SampleType type,
      Target target,
      AudioLimits limits,
      boolean lenient)
      throws DecodeException {
    open(encoded, format);
    try {
      AudioInfo stated = info();
      limits.require(format.label(), stated.frames());
      String error = missing(stated);
      if (error != null) {
        damaged(Fault.TRUNCATED, error, lenient);
      }
      return read(stated, type, target, lenient);
    } finally {
      close(file);
    }
  }

  private void open(MemorySegment encoded, AudioFormat format) throws DecodeException {
    notes.clear();
    this.format = format;
    sound = encoded;
    if (format == AudioFormat.FLAC) {
      long start = Id3.end(encoded);
      sound = encoded.asSlice(start, Id3.trailer(encoded, start) - start);
      flac.read(sound);
    }
    io.open(sound);
    info.fill((byte) 0);
    file = SoundFile.openVirtual(io.table(), SoundFile.SFM_READ, info);
    if (file.equals(MemorySegment.NULL)) {
      throw refusal();
    }
  }

  private DecodeException refusal() {
    String words = SoundFile.strerror(MemorySegment.NULL);
    int coding = format == AudioFormat.WAV ? RiffStream.unreadCoding(sound) : -1;
    if (coding >= 0) {
      return new DecodeException(
          Fault.UNSUPPORTED,
          "wav: coding 0x%04x, which libsndfile does not read".formatted(coding));
    }
    // libsndfile's public error numbers do not tell these from damage; its words do. Without them
    // the fault is CORRUPT or TRUNCATED: a worse name, never a lost one.
    boolean unknown = words.contains("nsupported") || words.contains("not implemented");
    return new DecodeException(
        unknown ? Fault.UNSUPPORTED : endsEarly() ? Fault.TRUNCATED : Fault.CORRUPT,
        "%s: %s [%d bytes]".formatted(format.label(), words, sound.byteSize()));
  }

  /// Whether a file that cannot be opened looks cut.
  private boolean endsEarly() {
    return switch (format) {
      case WAV -> RiffStream.cut(sound);
      case OGG -> !OggStream.whole(sound);
      case FLAC, MP3 -> flac.lastSample() < 0;
    };
  }

  private void close(MemorySegment open) {
    if (!open.equals(MemorySegment.NULL)) {
      SoundFile.close(open);
    }
    file = MemorySegment.NULL;
    sound = MemorySegment.NULL;
    io.forget();
  }

  private AudioInfo info() throws DecodeException {
    int rate = info.get(JAVA_INT, 8);
    int channels = info.get(JAVA_INT, 12);
    int coding = info.get(JAVA_INT, 16) & SoundFile.SUB_MASK;
    if (rate < 1 || channels < 1) {
      throw new DecodeException(
          Fault.CORRUPT, "%s: %d Hz, %d channels".formatted(format.label(), rate, channels));
    }
    int bits =
        switch (coding) {
          case SoundFile.PCM_S8, SoundFile.PCM_U8, SoundFile.ULAW, SoundFile.ALAW -> 8;
          case SoundFile.PCM_16 -> 16;
          case SoundFile.PCM_24 -> 24;
          case SoundFile.PCM_32, SoundFile.FLOAT -> 32;
          case SoundFile.DOUBLE -> 64;
          default -> 0;
        };
    boolean floating = coding == SoundFile.FLOAT || coding == SoundFile.DOUBLE;
    return new AudioInfo(format, rate, channels, frames(), bits, floating);
  }

  private long frames() throws DecodeException {
    long frames = info.get(JAVA_LONG, 0);
    if (format == AudioFormat.FLAC) {
      frames = flac.total() > 0 ? flac.total() : flac.lastSample();
    }
    if (frames < 0 || frames == Long.MAX_VALUE) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "%s: ends early, and does not say how many frames it has".formatted(format.label()));
    }
    return frames;
  }

  /// {@return what is missing at the end, or null if all is there}
  private @Nullable String missing(AudioInfo stated) {
    switch (format) {
      case WAV -> {
        long bytes = RiffStream.missing(sound);
        if (bytes > 0) {
          return "wav: ends %d bytes early, after %d frames".formatted(bytes, stated.frames());
        }
      }
      case OGG -> {
        if (!OggStream.whole(sound)) {
          return "ogg: the last page is cut or not marked as the last, after %d frames"
              .formatted(stated.frames());
        }
      }
      case FLAC, MP3 -> {}
    }
    return null;
  }

  private long read(AudioInfo stated, SampleType type, Target target, boolean lenient)
      throws DecodeException {
    boolean viaFloat = type != SampleType.FLOAT32 && (stated.floating() || stated.bits() == 0);
    int channels = stated.channels();
    long chunk = Math.max(1, CHUNK / channels);
    long done = 0;
    String error = null;
    while (done < stated.frames()) {
      long asked = Math.min(chunk, stated.frames() - done);
      MemorySegment out = target.ensure((done + asked) * channels * type.bytes());
      long offset = done * channels * type.bytes();
      long n =
          viaFloat
              ? SoundFile.read(file, SampleType.FLOAT32, scratch, asked)
              : SoundFile.read(file, type, out.asSlice(offset), asked);
      if (SoundFile.error(file) != 0 && error == null) {
        error = SoundFile.strerror(file);
      }
      if (n <= 0) {
        break;
      }
      if (viaFloat) {
        Samples.fromFloats(scratch, 0, out, type, done * channels, n * channels);
      }
      done += n;
    }
    judge(done, stated, error, lenient);
    return done;
  }

  private void judge(long done, AudioInfo stated, @Nullable String error, boolean lenient)
      throws DecodeException {
    String what =
        "%s: %d of %d frames came out%s"
            .formatted(
                format.label(), done, stated.frames(), error == null ? "" : " (" + error + ")");
    if (done < stated.frames()) {
      boolean ended = format != AudioFormat.FLAC || error == null || flac.lastSample() < 0;
      damaged(ended ? Fault.TRUNCATED : Fault.CORRUPT, what, lenient);
    } else if (error != null && !(format == AudioFormat.FLAC && md5Holds(stated))) {
      damaged(Fault.CORRUPT, what, lenient);
    } else if (error != null) {
      notes.add(new AudioNote(Fault.CORRUPT, "flac: something else among the frames"));
    }
    if (format == AudioFormat.FLAC && done == stated.frames() && flac.lastSample() >= 0) {
      long last = flac.lastSample();
      if (last > done) {
        notes.add(
            new AudioNote(
                Fault.CORRUPT,
                "flac: STREAMINFO says %d frames, %d more follow".formatted(done, last - done)));
      } else if (last < done) {
        notes.add(
            new AudioNote(
                Fault.CORRUPT,
                "flac: the last block ends at frame %d of %d by its number".formatted(last, done)));
      }
    }
  }

  private void damaged(Fault fault, String what, boolean lenient) throws DecodeException {
    if (!lenient) {
      throw new DecodeException(fault, what);
    }
    notes.add(new AudioNote(fault, what));
  }

  /// Whether the samples have the checksum that STREAMINFO gives, which must be there.
  private boolean md5Holds(AudioInfo stated) {
    if (!FlacStream.hasMd5(sound)) {
      return false;
    }
    SoundFile.close(file);
    io.open(sound);
    file = SoundFile.openVirtual(io.table(), SoundFile.SFM_READ, info);
    return !file.equals(MemorySegment.NULL) && FlacStream.isMd5(sound, md5(stated));
  }

  /// {@return the checksum of the samples as FLAC defines it: signed, little-endian, interleaved,
  ///     in the fewest bytes that hold their bits}
  private byte[] md5(AudioInfo stated) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      int shift = 32 - flac.bits();
      int width = (flac.bits() + 7) / 8;
      byte[] packed = new byte[CHUNK * width];
      long chunk = Math.max(1, CHUNK / stated.channels());
      long n = 1;
      for (long done = 0; n > 0 && done < stated.frames(); done += n) {
        n =
            SoundFile.read(
                file, SampleType.INT32, scratch, Math.min(chunk, stated.frames() - done));
        int at = 0;
        for (long i = 0; i < n * stated.channels(); i++) {
          int sample = scratch.getAtIndex(JAVA_INT, i) >> shift;
          for (int b = 0; b < width; b++) {
            packed[at++] = (byte) (sample >> (8 * b));
          }
        }
        digest.update(packed, 0, at);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new LinkageError("every JDK has MD5", e);
    }
  }

  /// Holds a FLAC stream to the checksum in its STREAMINFO.
  ///
  /// @return false if it has none
  /// @throws DecodeException with [Fault#CORRUPT] if it is another
  boolean verify(MemorySegment encoded) throws DecodeException {
    open(encoded, AudioFormat.FLAC);
    try {
      if (!FlacStream.hasMd5(sound)) {
        return false;
      }
      if (!FlacStream.isMd5(sound, md5(info()))) {
        throw new DecodeException(
            Fault.CORRUPT, "flac: the samples do not have the MD5 that STREAMINFO gives");
      }
      return true;
    } finally {
      close(file);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
