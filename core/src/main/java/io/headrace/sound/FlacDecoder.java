package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.flac.FlacFrame;
import io.headrace.sound.flac.FlacStream;
import io.headrace.sound.framing.Id3;
import io.headrace.sound.framing.OggStream;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decodes FLAC of 4 to 32 bits and 1 to 8 channels, alone or in Ogg, frame by frame. In Ogg the
/// bytes of messages are those of the FLAC stream that the pages hold.
///
/// libsndfile reads FLAC too, but only 8, 16 and 24 bits. It stops at the first damaged frame, and
/// does not say where that is.
final class FlacDecoder implements AutoCloseable {
  /// The most places where frames of a damaged stream are looked for: a bound on time.
  private static final long MAX_SEARCH = 4L << 20;

  /// The most headers tried in one search.
  private static final int MAX_TRIES = 4096;

  private final FlacStream stream = new FlacStream();
  private final FlacFrame frame = new FlacFrame();
  private final OggStream pages = new OggStream();
  private final Block unwrapped = new Block(MemoryBudget.unbounded());
  private final NoteList notes = new NoteList();
  private AudioFormat format = AudioFormat.FLAC;
  private MemorySegment flac = MemorySegment.NULL;
  private long tag;
  private @Nullable MessageDigest digest;
  private byte[] packed = new byte[0];

  /// State of one pass: whether damage becomes silence, frames of samples that came out, frames
  /// read, the number of the first sample, and the first jump in the numbers that skips samples.
  private boolean lenient;

  private long done;
  private long frames;
  private long base;
  private @Nullable String jump;
  private boolean renumbered;

  /// {@return what was odd about the last sound}
  List<AudioNote> notes() {
    return notes.all();
  }

  AudioInfo probe(MemorySegment encoded) throws DecodeException {
    open(encoded, true);
    return info();
  }

  private void open(MemorySegment encoded, boolean lenient) throws DecodeException {
    notes.clear();
    format = AudioFormat.detect(encoded) == AudioFormat.OGG ? AudioFormat.OGG : AudioFormat.FLAC;
    tag = 0;
    if (format == AudioFormat.OGG) {
      pages.read(encoded, lenient, notes);
      flac = pages.flac(encoded, unwrapped);
    } else {
      tag = Id3.end(encoded);
      flac = encoded.asSlice(tag, Id3.trailer(encoded, tag) - tag);
    }
    stream.read(flac);
  }

  private AudioInfo info() throws DecodeException {
    long count = stream.total() > 0 ? stream.total() : stream.countByLast(flac, frame);
    if (count < 0) {
      throw new DecodeException(
          Fault.TRUNCATED, "flac: ends early, and does not say how many frames it has");
    }
    return new AudioInfo(
        format, stream.sampleRate(), stream.channels(), count, stream.bits(), false);
  }

  /// Decodes sound.
  ///
  /// @param salvage whether a damaged frame becomes silence and a note, not an exception
  /// @return frames
  long decode(MemorySegment encoded, Target target, boolean salvage) throws DecodeException {
    open(encoded, salvage);
    target.require("flac", stream.total());
    try {
      return pass(target, false);
    } catch (DecodeException e) {
      if (!salvage || e.fault() == Fault.LIMIT || e.fault() == Fault.MISMATCH) {
        throw e;
      }
      notes.clear();
      notes.add(e.fault(), String.valueOf(e.getMessage()));
      return pass(target, true);
    }
  }

  private long pass(Target target, boolean lenient) throws DecodeException {
    this.lenient = lenient;
    done = 0;
    frames = 0;
    base = 0;
    jump = null;
    renumbered = false;
    long total = stream.total();
    long excess = 0;
    long at = stream.frames();
    while (at < flac.byteSize()) {
      FlacFrame.Outcome outcome = frame.read(flac, at, stream);
      if (outcome != FlacFrame.Outcome.WHOLE) {
        boolean unsized =
            outcome == FlacFrame.Outcome.NONE; // then the rest, if a block can have it
        long silent = unsized ? Math.max(0, total - done) : frame.blockSize();
        silent = silent > FlacFrame.MAX_BLOCK ? 0 : silent;
        long next = search(at + 1);
        if (!passOver(outcome, at, next)) {
          if (lenient && outcome != FlacFrame.Outcome.CUT) {
            silence(done + silent, target);
          }
          break;
        }
        at = next;
      }
      if (!fits(at)) {
        break;
      }
      number(at, target);
      long count = total > 0 ? Math.min(frame.blockSize(), total - done) : frame.blockSize();
      excess += frame.blockSize() - count;
      write((int) count, target);
      frames++;
      at = frame.end();
    }
    if (excess > 0) {
      note("flac: STREAMINFO says %d frames, %d more follow".formatted(total, excess));
    }
    judge(total);
    return done;
  }

  /// What is not a frame: damage, or something else between frames or after them.
  ///
  /// @param next where the next frame starts that is in order, read into [#frame]; -1 for none
  /// @return whether to go on there
  private boolean passOver(FlacFrame.Outcome outcome, long at, long next) throws DecodeException {
    long total = stream.total();
    boolean all = total > 0 && done >= total;
    long size = (next < 0 ? flac.byteSize() : next) - at;
    if (all || (next >= 0 && frames > 0 && frame.firstSample(stream) - base == done)) {
      if (outcome == FlacFrame.Outcome.NONE || all) {
        note(
            "flac: %d bytes %s are not a frame [byte %d]"
                .formatted(size, next < 0 ? "after the last frame" : "between frames", tag + at));
        return next >= 0;
      }
    }
    if (frames == 0
        && next >= 0
        && outcome == FlacFrame.Outcome.NONE
        && frame.firstSample(stream) == 0) {
      note(
          "flac: %d bytes before the first frame are not a frame [byte %d]"
              .formatted(size, tag + at));
      return true;
    }
    if (!lenient) {
      throw new DecodeException(
          outcome == FlacFrame.Outcome.CUT && next < 0 ? Fault.TRUNCATED : Fault.CORRUPT,
          "flac: frame %d is %s, after %d of %s frames of samples [byte %d]"
              .formatted(
                  frames,
                  switch (outcome) {
                    case NONE -> "not there";
                    case CUT -> "cut short";
                    default -> "damaged (its checksum does not hold)";
                  },
                  done,
                  total > 0 ? total : "an unknown number of",
                  tag + at));
    }
    return next >= 0;
  }

  /// {@return where the first frame that is in order starts from `at` on, read into [#frame]; -1 if
  ///     there is none}
  private long search(long at) {
    long stop = Math.min(flac.byteSize(), at + MAX_SEARCH);
    int tries = MAX_TRIES;
    for (long here = at; here < stop && tries > 0; here++) {
      if (flac.get(JAVA_BYTE, here) == -1) {
        FlacFrame.Outcome outcome = frame.read(flac, here, stream);
        if (outcome == FlacFrame.Outcome.WHOLE) {
          return here;
        }
        tries -= outcome == FlacFrame.Outcome.NONE ? 0 : 1;
      }
    }
    return -1;
  }

  /// {@return whether a frame is as STREAMINFO says all are}
  private boolean fits(long at) throws DecodeException {
    if (frame.channels() == stream.channels()
        && frame.sampleRate() == stream.sampleRate()
        && frame.bits() == stream.bits()) {
      return true;
    }
    if (!lenient) {
      throw new DecodeException(
          Fault.UNSUPPORTED,
          ("flac: changes in mid-stream to %d Hz, %d channels, %d bits, from %d Hz, %d channels, %d"
                  + " bits in STREAMINFO [frame %d, sample %d, byte %d]")
              .formatted(
                  frame.sampleRate(),
                  frame.channels(),
                  frame.bits(),
                  stream.sampleRate(),
                  stream.channels(),
                  stream.bits(),
                  frames,
                  done,
                  tag + at));
    }
    return false;
  }

  /// Checks the number of a frame against those before. Numbers may start anew. Where they skip
  /// samples, silence stands in if damage is allowed.
  private void number(long at, Target target) throws DecodeException {
    long first = frame.firstSample(stream);
    if (frames == 0 && at == stream.frames()) {
      base = first;
      if (first > 0) {
        note("flac: the first frame starts at sample %d by its number".formatted(first));
      }
    }
    long here = first - base;
    if (here == done) {
      return;
    }
    long total = stream.total();
    String what =
        "flac: frame %d starts at sample %d by its number, %d come before it [byte %d]"
            .formatted(frames, here, done, tag + at);
    if (here > done && (total == 0 || here + frame.blockSize() <= total)) {
      if (lenient) {
        silence(here, target);
        return;
      }
      jump = jump == null ? what : jump;
    }
    if (!renumbered) {
      renumbered = true;
      note(what);
    }
    base = first - done;
  }

  private void silence(long until, Target target) throws DecodeException {
    long total = stream.total();
    long end = total > 0 ? Math.min(until, total) : until;
    if (end <= done) {
      return;
    }
    target.require("flac", end);
    long width = (long) stream.channels() * target.type().bytes();
    target.ensure(end * width).asSlice(done * width, (end - done) * width).fill((byte) 0);
    done = end;
  }

  private void judge(long total) throws DecodeException {
    if (done < total) {
      String what = "flac: %d of %d frames came out".formatted(done, total);
      if (!lenient) {
        throw new DecodeException(jump == null ? Fault.TRUNCATED : Fault.CORRUPT, what + cause());
      }
      notes.add(Fault.TRUNCATED, what);
    } else if (total == 0 && !lenient) {
      if (jump != null) {
        throw new DecodeException(Fault.CORRUPT, jump);
      }
      if (frames == 0 && stream.frames() < flac.byteSize()) {
        throw new DecodeException(Fault.CORRUPT, "flac: there is no frame");
      }
    }
  }

  private String cause() {
    return jump == null ? "" : " (" + jump + ")";
  }

  private void note(String text) {
    notes.add(Fault.CORRUPT, text);
  }

  private void write(int count, Target target) throws DecodeException {
    if (digest != null) {
      pack(digest, count);
      done += count;
      return;
    }
    target.require("flac", done + count);
    int channels = frame.channels();
    SampleType type = target.type();
    MemorySegment out = target.ensure((done + count) * channels * type.bytes());
    for (int c = 0; c < channels; c++) {
      long[] samples = frame.samples(c);
      long step = (long) channels * type.bytes();
      long to = done * step + (long) c * type.bytes();
      int up = 32 - frame.bits();
      switch (type) {
        case INT16 -> {
          for (int i = 0; i < count; i++, to += step) {
            out.set(JAVA_SHORT_UNALIGNED, to, (short) (samples[i] << up >> 16));
          }
        }
        case INT32 -> {
          for (int i = 0; i < count; i++, to += step) {
            out.set(JAVA_INT_UNALIGNED, to, (int) (samples[i] << up));
          }
        }
        case FLOAT32 -> {
          float scale = 1f / (1L << (frame.bits() - 1));
          for (int i = 0; i < count; i++, to += step) {
            out.set(JAVA_FLOAT_UNALIGNED, to, samples[i] * scale);
          }
        }
      }
    }
    done += count;
  }

  /// Adds samples as FLAC defines its checksum: signed, little-endian, interleaved, in the fewest
  /// bytes that hold their bits.
  private void pack(MessageDigest digest, int count) {
    int width = (frame.bits() + 7) / 8;
    int channels = frame.channels();
    if (packed.length < count * channels * width) {
      packed = new byte[count * channels * width];
    }
    int at = 0;
    for (int i = 0; i < count; i++) {
      for (int c = 0; c < channels; c++) {
        long sample = frame.samples(c)[i];
        for (int b = 0; b < width; b++) {
          packed[at++] = (byte) (sample >> (8 * b));
        }
      }
    }
    digest.update(packed, 0, at);
  }

  /// Checks a stream against the checksum in its STREAMINFO.
  ///
  /// @return false if it has none
  /// @throws DecodeException with [Fault#CORRUPT] if it is another, or as decoding does
  boolean verify(MemorySegment encoded) throws DecodeException {
    open(encoded, false);
    if (!FlacStream.hasMd5(flac)) {
      return false;
    }
    try {
      digest = MessageDigest.getInstance("MD5");
      pass(new Target(Long.MAX_VALUE), false);
      if (!FlacStream.isMd5(flac, digest.digest())) {
        throw new DecodeException(
            Fault.CORRUPT, "flac: the samples do not have the MD5 that STREAMINFO gives");
      }
      return true;
    } catch (NoSuchAlgorithmException e) {
      throw new LinkageError("every JDK has MD5", e);
    } finally {
      digest = null;
    }
  }

  @Override
  public void close() {
    unwrapped.close();
  }
}
