package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
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

  private final Arena arena = Arena.ofShared(); // the thread may change
  private final MemorySegment handle;
  private final MemorySegment decoded = arena.allocate(FRAME_BYTES, Float.BYTES);
  private final MemorySegment done = arena.allocate(JAVA_LONG);
  private final MpegFrames frames = new MpegFrames();
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

  AudioInfo probe(MemorySegment mp3) throws DecodeException {
    frames.read(mp3);
    return info();
  }

  /// {@return what was odd about the last sound}
  List<AudioNote> notes() {
    return frames.notes();
  }

  /// Decodes sound.
  ///
  /// @param lenient whether damage becomes a note, not an exception
  /// @return frames
  long decode(
      MemorySegment mp3, SampleType type, Target target, AudioLimits limits, boolean lenient)
      throws DecodeException {
    frames.read(mp3);
    judge(lenient);
    int header = frames.header();
    int channels = frames.channels();
    start(header, channels);
    long skip = trim ? frames.skip() : 0;
    long end = skip + count();
    limits.require("mp3", end - skip);
    long position = 0; // of the next decoded sample, from the first frame on
    frames.rewind();
    for (long at = frames.next(); at >= 0 && position < end; at = frames.next()) {
      int bytes = frames.bytes(MpegHeader.at(mp3, at));
      position = take(feed(mp3.asSlice(at, bytes)), position, skip, end, channels, type, target);
    }
    while (position < end) { // what libmpg123 still holds
      long more = feed(MemorySegment.NULL);
      if (more == 0) {
        throw new DecodeException(
            Fault.CORRUPT, "mp3: %d of %d samples came out".formatted(position - skip, end - skip));
      }
      position = take(more, position, skip, end, channels, type, target);
    }
    return end - skip;
  }

  private void judge(boolean lenient) throws DecodeException {
    String change = frames.change();
    if (change != null) {
      damaged(Fault.UNSUPPORTED, change, lenient);
    }
    if (frames.replaced()) {
      damaged(
          Fault.CORRUPT,
          "mp3: %d of %d frames are there, then something else, after %d samples"
              .formatted(frames.frames(), frames.statedFrames(), count()),
          lenient);
    }
    if (frames.cut()) {
      damaged(
          Fault.TRUNCATED,
          frames.statedFrames() > 0
              ? "mp3: ends after %d of %d frames, with %d samples"
                  .formatted(frames.frames(), frames.statedFrames(), count())
              : "mp3: ends in the middle of frame %d, after %d samples"
                  .formatted(frames.frames() + 1, count()),
          lenient);
    }
    if (frames.gaps() > 0) {
      damaged(
          Fault.CORRUPT,
          "mp3: %d bytes between frames belong to none".formatted(frames.gaps()),
          lenient);
    }
  }

  private void damaged(Fault fault, String what, boolean lenient) throws DecodeException {
    if (!lenient) {
      throw new DecodeException(fault, what);
    }
    frames.notes().add(new AudioNote(fault, what));
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

  private long take(
      long bytes, long position, long skip, long end, int channels, SampleType type, Target target)
      throws DecodeException {
    long count = bytes / (channels * (long) Float.BYTES);
    long from = Math.max(position, skip);
    long to = Math.min(position + count, end);
    if (to > from) {
      MemorySegment out = target.ensure((to - skip) * channels * type.bytes());
      Samples.fromFloats(
          decoded,
          (from - position) * channels,
          out,
          type,
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
