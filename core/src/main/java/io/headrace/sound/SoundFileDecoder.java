package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.natives.NativeLibrary;
import io.headrace.sound.framing.OggStream;
import io.headrace.sound.framing.RiffStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decodes Ogg, and WAV that is compressed, through libsndfile, from memory.
final class SoundFileDecoder implements AutoCloseable {
  /// Samples read in one call.
  private static final int CHUNK = 1 << 15;

  /// Codings of WAV that libsndfile reads and that are not read without it: MS ADPCM, A-law,
  /// mu-law, IMA ADPCM, GSM.
  private static final Set<Integer> READ = Set.of(2, 6, 7, 0x11, 0x31);

  private final Arena arena = Arena.ofShared(); // the thread may change
  private final SoundFileIo io = new SoundFileIo(arena);
  private final MemorySegment info = arena.allocate(SoundFile.INFO_BYTES, Long.BYTES);
  private final MemorySegment scratch = arena.allocate(CHUNK * (long) Integer.BYTES, Long.BYTES);
  private final OggStream ogg = new OggStream();
  private final NoteList notes = new NoteList();
  private @Nullable RiffStream wav;
  private MemorySegment whole = MemorySegment.NULL;
  private MemorySegment sound = MemorySegment.NULL;
  private MemorySegment file = MemorySegment.NULL;
  private AudioFormat format = AudioFormat.WAV;

  /// @throws ConfigException if libsndfile is missing
  SoundFileDecoder() {
    NativeLibrary.SNDFILE.require();
  }

  /// {@return what was odd about the last sound}
  List<AudioNote> notes() {
    return notes.all();
  }

  /// @param chunks those of a WAV file, null if the sound is Ogg
  AudioInfo probe(MemorySegment encoded, @Nullable RiffStream chunks) throws DecodeException {
    start(encoded, chunks);
    if (chunks == null) {
      ogg.read(encoded, true, notes);
    }
    AudioInfo first = null;
    for (int link = 0; link < links(); link++) {
      AudioInfo next = open(link);
      close(file);
      first = first == null ? next : same(first, next, link, first.frames());
    }
    return Objects.requireNonNull(first);
  }

  /// Decodes sound.
  ///
  /// @param chunks those of a WAV file, null if the sound is Ogg
  /// @param lenient whether damage becomes a note, not an exception
  /// @return frames
  long decode(MemorySegment encoded, @Nullable RiffStream chunks, Target target, boolean lenient)
      throws DecodeException {
    start(encoded, chunks);
    if (chunks == null) {
      ogg.read(encoded, lenient, notes);
    }
    AudioInfo first = null;
    long done = 0;
    for (int link = 0; link < links(); link++) {
      try {
        AudioInfo stated = open(link);
        if (first != null) {
          same(first, stated, link, done);
        }
        first = first == null ? stated : first;
        target.require(format.label(), done + stated.frames());
        if (chunks != null && chunks.missing() > 0) {
          notes.damaged(
              Fault.TRUNCATED,
              "wav: ends %d bytes early, after %d frames"
                  .formatted(chunks.missing(), stated.frames()),
              lenient);
        }
        done += read(stated, done, target, lenient);
      } catch (DecodeException e) {
        if (!lenient || link == 0 || e.fault() == Fault.LIMIT) {
          throw e;
        }
        notes.add(e.fault(), String.valueOf(e.getMessage()));
        return done;
      } finally {
        close(file);
      }
    }
    return done;
  }

  private void start(MemorySegment encoded, @Nullable RiffStream chunks) {
    notes.clear();
    whole = encoded;
    wav = chunks;
    format = chunks == null ? AudioFormat.OGG : AudioFormat.WAV;
  }

  private int links() {
    return wav == null ? ogg.links() : 1;
  }

  /// {@return both together, if the second may follow the first}
  private AudioInfo same(AudioInfo first, AudioInfo next, int link, long done)
      throws DecodeException {
    if (first.sampleRate() != next.sampleRate() || first.channels() != next.channels()) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          "ogg: changes from %d Hz, %d channels to %d Hz, %d channels [stream %d, sample %d, byte %d]"
              .formatted(
                  first.sampleRate(),
                  first.channels(),
                  next.sampleRate(),
                  next.channels(),
                  link,
                  done,
                  ogg.start(link)));
    }
    return new AudioInfo(
        first.format(),
        first.sampleRate(),
        first.channels(),
        first.frames() + next.frames(),
        first.bits(),
        first.floating());
  }

  private AudioInfo open(int link) throws DecodeException {
    sound = wav == null ? whole.asSlice(ogg.start(link), ogg.end(link) - ogg.start(link)) : whole;
    io.open(sound);
    info.fill((byte) 0);
    file = SoundFile.openVirtual(io.table(), SoundFile.SFM_READ, info);
    if (file.equals(MemorySegment.NULL)) {
      throw refusal();
    }
    return info();
  }

  private DecodeException refusal() {
    String words = SoundFile.strerror(MemorySegment.NULL);
    if (wav != null && !READ.contains(wav.coding())) {
      return new DecodeException(
          Fault.UNSUPPORTED,
          "wav: coding 0x%04x, which libsndfile does not read".formatted(wav.coding()));
    }
    // libsndfile's public error numbers do not tell these from damage; its words do. Without them
    // the fault is CORRUPT or TRUNCATED: a worse name, never a lost one.
    boolean unknown =
        words.contains("nsupported")
            || words.contains("not implemented")
            || words.contains("unimplemented");
    boolean cut =
        wav != null ? wav.missing() > 0 : notes.all().stream().anyMatch(SoundFileDecoder::cut);
    return new DecodeException(
        unknown ? Fault.UNSUPPORTED : cut ? Fault.TRUNCATED : Fault.CORRUPT,
        "%s: %s [%d bytes]".formatted(format.label(), words, sound.byteSize()));
  }

  private static boolean cut(AudioNote note) {
    return note.fault() == Fault.TRUNCATED;
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
    if (frames < 0 || frames == Long.MAX_VALUE) {
      if (!notes.all().isEmpty()) { // the pages say more
        AudioNote note = notes.all().getFirst();
        throw new DecodeException(note.fault(), note.text());
      }
      throw new DecodeException(
          Fault.TRUNCATED,
          "%s: ends early, and does not say how many frames it has".formatted(format.label()));
    }
    return frames;
  }

  /// @param before frames that are in `target` already
  private long read(AudioInfo stated, long before, Target target, boolean lenient)
      throws DecodeException {
    SampleType type = target.type();
    boolean viaFloat = type != SampleType.FLOAT32 && (stated.floating() || stated.bits() == 0);
    int channels = stated.channels();
    long chunk = Math.max(1, CHUNK / channels);
    long done = 0;
    String error = null;
    while (done < stated.frames()) {
      long asked = Math.min(chunk, stated.frames() - done);
      MemorySegment out = target.ensure((before + done + asked) * channels * type.bytes());
      long offset = (before + done) * channels * type.bytes();
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
        Samples.fromFloats(scratch, 0, out, type, (before + done) * channels, n * channels);
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
      notes.damaged(Fault.TRUNCATED, what, lenient);
    } else if (error != null) {
      notes.damaged(Fault.CORRUPT, what, lenient);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
