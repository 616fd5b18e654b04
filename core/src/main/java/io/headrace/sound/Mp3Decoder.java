package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.sound.framing.MpegFrames;
import io.headrace.sound.framing.MpegHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Decodes MP3 through libmpg123, frame by frame as [MpegFrames] finds them.
///
/// libmpg123 gets only frames of sound, with its own trimming off, since it would trust the tag's
/// count of frames. libsndfile reads MP3 too, but cuts a stream short where the count is too small,
/// and guesses the length where there is none.
final class Mp3Decoder implements AutoCloseable {
  /// Bytes of the longest decoded frame: 1152 samples, two channels, float32.
  private static final long FRAME_BYTES = 1152L * 2 * Float.BYTES;

  /// Frames before a part whose samples overlap with the next frame's, and one more.
  private static final int OVERLAPPING = 3;

  /// Bytes of earlier frames that a frame's data may begin in.
  private static final int RESERVOIR = 511;

  /// Bytes of a frame that are no data, at most: header, checksum, side information.
  private static final int MAX_HEAD = 4 + 2 + 32;

  /// Frames after which the decoder's ring stands where it stood.
  private static final int TURNS = 4;

  /// Samples of the frames of MPEG-2.
  private static final int SHORT = 576;

  private final Target part = new Target(Long.MAX_VALUE);
  private int[] sizes = new int[0];
  private final Arena arena = Arena.ofShared(); // the thread may change
  private final MemorySegment handle;
  private final MemorySegment decoded = arena.allocate(FRAME_BYTES, Float.BYTES);
  private final MemorySegment done = arena.allocate(JAVA_LONG);
  private final NoteList notes = new NoteList();
  private final MpegFrames frames = new MpegFrames(notes);
  private final boolean trim;

  /// @param trim whether encoder delay and padding are taken off
  /// @throws ConfigException if libmpg123 is missing
  Mp3Decoder(boolean trim) {
    this.trim = trim;
    handle = Mpg123.create(arena);
    Mpg123.param(handle, Mpg123.REMOVE_FLAGS, Mpg123.GAPLESS | Mpg123.AUTO_RESAMPLE);
    Mpg123.param(
        handle, Mpg123.ADD_FLAGS, Mpg123.QUIET | Mpg123.IGNORE_INFOFRAME | Mpg123.NO_READAHEAD);
  }

  /// {@return what the last header or stream read is}
  private AudioInfo info() {
    int header = frames.header();
    return new AudioInfo(
        AudioFormat.MP3, MpegHeader.sampleRate(header), frames.channels(), count(), 0, false);
  }

  private long count() {
    return trim ? frames.trimmedSamples() : frames.samples();
  }

  private void read(MemorySegment mp3) throws DecodeException {
    notes.clear();
    frames.read(mp3);
  }

  AudioInfo probe(MemorySegment mp3) throws DecodeException {
    read(mp3);
    return info();
  }

  /// {@return what was odd about the last sound}
  List<AudioNote> notes() {
    return notes.all();
  }

  /// Decodes sound.
  ///
  /// @param lenient whether damage becomes a note, not an exception
  /// @return frames
  long decode(MemorySegment mp3, Target target, boolean lenient) throws DecodeException {
    read(mp3);
    judge(lenient);
    int header = frames.header();
    int channels = frames.channels();
    start(header, channels);
    long skip = trim ? frames.skip() : 0;
    long end = skip + count();
    target.require("mp3", end - skip);
    long position = 0; // of the next decoded sample, from the first frame on
    frames.rewind();
    for (long at = frames.next(); at >= 0 && position < end; at = frames.next()) {
      int bytes = frames.bytes(MpegHeader.at(mp3, at));
      position = take(feed(mp3.asSlice(at, bytes)), position, skip, end, channels, target);
    }
    while (position < end) { // what libmpg123 still holds
      long more = feed(MemorySegment.NULL);
      if (more == 0) {
        throw new DecodeException(
            Fault.CORRUPT, "mp3: %d of %d samples came out".formatted(position - skip, end - skip));
      }
      position = take(more, position, skip, end, channels, target);
    }
    return end - skip;
  }

  /// Decodes a part of sound with nothing odd about it: the same samples as those of the whole.
  /// Damage elsewhere goes unnoticed.
  ///
  /// Frames before the part bring the decoder into the state that it would have: those that its
  /// bit reservoir reaches back to, and two whose samples overlap with the next. So many are left
  /// out that its ring of 16 vectors, of which a frame turns 36, stands where it would stand.
  ///
  /// @param from first sample of a channel
  /// @param count samples of a channel
  /// @param out float32 [count, channels]
  /// @return whether it could be done
  boolean decodePart(MemorySegment mp3, long from, long count, MemorySegment out)
      throws DecodeException {
    read(mp3);
    if (!notes.all().isEmpty() || !frames.clean()) {
      return false;
    }
    int channels = frames.channels();
    int each = MpegHeader.samples(frames.header());
    if (each == SHORT) {
      return false; // its samples are others when libmpg123 begins in the middle
    }
    long skip = (trim ? frames.skip() : 0) + from;
    long end = skip + count;
    long first = leadIn(mp3, skip / each);
    start(frames.header(), channels);
    part.set(SampleType.FLOAT32, out);
    frames.rewind();
    long frame = 0;
    long position = first * each;
    long at = frames.next();
    for (; at >= 0 && frame < first; frame++) {
      at = frames.next();
    }
    for (; at >= 0 && position < end; at = frames.next()) {
      int bytes = frames.bytes(MpegHeader.at(mp3, at));
      long before = position;
      long made = feed(mp3.asSlice(at, bytes));
      position = take(made, position, skip, end, channels, part);
      if (position != before + each) {
        return false; // it does not give a frame's samples at once
      }
    }
    return position >= end;
  }

  /// {@return the frame to begin with, so that samples from frame `wanted` on are right}
  private long leadIn(MemorySegment mp3, long wanted) {
    if (sizes.length < wanted) {
      sizes = new int[Math.toIntExact(wanted)];
    }
    frames.rewind();
    for (int i = 0; i < wanted; i++) {
      sizes[i] = frames.bytes(MpegHeader.at(mp3, frames.next()));
    }
    int first = (int) wanted - OVERLAPPING;
    for (int reservoir = 0; first > 0 && reservoir < RESERVOIR; ) {
      reservoir += Math.max(0, sizes[--first] - MAX_HEAD);
    }
    return (long) Math.max(0, first) / TURNS * TURNS;
  }

  private void judge(boolean lenient) throws DecodeException {
    String change = frames.change();
    if (change != null) {
      notes.damaged(Fault.UNSUPPORTED, change, lenient);
    }
    if (frames.replaced()) {
      notes.damaged(
          Fault.CORRUPT,
          "mp3: %d of %d frames are there, then something else, after %d samples"
              .formatted(frames.frames(), frames.statedFrames(), count()),
          lenient);
    }
    if (frames.cut()) {
      notes.damaged(
          Fault.TRUNCATED,
          frames.statedFrames() > 0
              ? "mp3: ends after %d of %d frames, with %d samples"
                  .formatted(frames.frames(), frames.statedFrames(), count())
              : "mp3: ends in the middle of frame %d, after %d samples"
                  .formatted(frames.frames() + 1, count()),
          lenient);
    }
    if (frames.gaps() > 0) {
      notes.damaged(
          Fault.CORRUPT,
          "mp3: %d bytes between frames belong to none".formatted(frames.gaps()),
          lenient);
    }
  }

  private void start(int header, int channels) throws DecodeException {
    int free = frames.freeBytes() - MpegHeader.BYTES;
    Mpg123.param(handle, Mpg123.FREEFORMAT_SIZE, free > 0 ? free : -1);
    int status =
        Mpg123.format(handle, MpegHeader.sampleRate(header), channels, Mpg123.ENC_FLOAT_32);
    if (status == Mpg123.OK) {
      status = Mpg123.openFeed(handle);
    }
    if (status != Mpg123.OK) {
      throw new DecodeException(Fault.CORRUPT, "mp3: " + Mpg123.strerror(handle));
    }
  }

  /// {@return bytes decoded}
  private long feed(MemorySegment frame) throws DecodeException {
    done.set(JAVA_LONG, 0, 0);
    int status = Mpg123.decode(handle, frame, frame.byteSize(), decoded, done);
    if (status == Mpg123.NEW_FORMAT) {
      status = Mpg123.decode(handle, MemorySegment.NULL, 0, decoded, done);
    }
    if (status != Mpg123.OK && status != Mpg123.NEED_MORE) {
      throw new DecodeException(Fault.CORRUPT, "mp3: " + Mpg123.strerror(handle));
    }
    return done.get(JAVA_LONG, 0);
  }

  private long take(long bytes, long position, long skip, long end, int channels, Target target)
      throws DecodeException {
    long count = bytes / (channels * (long) Float.BYTES);
    long from = Math.max(position, skip);
    long to = Math.min(position + count, end);
    if (to > from) {
      MemorySegment out = target.ensure((to - skip) * channels * target.type().bytes());
      Samples.fromFloats(
          decoded,
          (from - position) * channels,
          out,
          target.type(),
          (from - skip) * channels,
          (to - from) * channels);
    }
    return position + count;
  }

  @Override
  public void close() {
    arena.close();
  }
}
