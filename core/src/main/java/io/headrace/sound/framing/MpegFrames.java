package io.headrace.sound.framing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Walks the frames of an MP3 stream, which is the only way to its exact length.
///
/// The first frame may hold no sound but a tag (Xing's, LAME's or Fraunhofer's): its encoder delay
/// and padding are used, its count of frames is not. Source of the layouts: the LAME tag
/// specification (http://gabriel.mp3-tech.org/mp3infotag.html), and Fraunhofer's VBRI header.
public final class MpegFrames {
  /// How far into the data a first frame is looked for.
  private static final int SEARCH = 4096;

  /// Samples a layer III decoder lags behind, which LAME's delay leaves out.
  private static final int DECODER_DELAY = 529;

  /// Bytes a frame of free bit rate can have: 640 kbit/s at 8 kHz, 576 samples, is as far as
  /// libmpg123 looks.
  private static final int MAX_FREE = 5760;

  /// Bytes of a header, a mono frame's side information and a checksum: no frame is shorter.
  private static final int MIN_FREE = 15;

  private final Notes notes;
  private MemorySegment bytes = MemorySegment.NULL;
  private long position;
  private long first;
  private long end;
  private int header;
  private int free;
  private boolean mono;
  private boolean stereo;
  private long changeAt;
  private long changeFrame;
  private long frames;
  private long gaps;
  private boolean cut;
  private boolean trimmed;
  private int delay;
  private int padding;
  private long statedFrames;
  private long statedBytes;

  /// @param notes takes what is odd
  public MpegFrames(Notes notes) {
    this.notes = notes;
  }

  /// {@return whether three frames that agree follow each other near the start of `bytes`}
  public static boolean found(MemorySegment bytes) {
    return search(bytes, 0, Math.min(bytes.byteSize(), SEARCH), 3, 0) >= 0;
  }

  /// {@return where the first of `run` frames lies that follow each other from somewhere between
  ///     `from` and `to` and agree, with `like` unless that is 0; -1 if there are none}
  private static long search(MemorySegment bytes, long from, long to, int run, int like) {
    for (long at = from; at < to; at++) {
      int header = MpegHeader.at(bytes, at);
      if (MpegHeader.valid(header) && (like == 0 || MpegHeader.agree(like, header))) {
        int free = freeBytes(bytes, at);
        long next = at;
        int seen = 0;
        while (free >= 0 && seen < run && MpegHeader.agree(header, MpegHeader.at(bytes, next))) {
          next += MpegHeader.bytes(MpegHeader.at(bytes, next), free);
          seen++;
        }
        if (seen == run || (seen > 0 && next == bytes.byteSize())) {
          return at;
        }
      }
    }
    return -1;
  }

  /// {@return bytes without padding of the frames of free bit rate that start at `at`, told by
  ///     where the next two are; 0 if their bit rate is not free, -1 if it is and there are none}
  private static int freeBytes(MemorySegment bytes, long at) {
    int header = MpegHeader.at(bytes, at);
    if (!MpegHeader.free(header)) {
      return 0;
    }
    int padding = MpegHeader.bytes(header, 0);
    for (int length = MIN_FREE; length <= MAX_FREE; length++) {
      long next = at + length;
      int second = MpegHeader.at(bytes, next);
      if (MpegHeader.agree(header, second)) {
        long third = next + MpegHeader.bytes(second, length - padding);
        if (third >= bytes.byteSize() || MpegHeader.agree(header, MpegHeader.at(bytes, third))) {
          return length - padding;
        }
      }
    }
    return -1;
  }

  /// {@return bytes of a frame of free bit rate without padding, 0 where the bit rate is not free}
  public int freeBytes() {
    return free;
  }

  /// {@return bytes of the frame with that header}
  public int bytes(int frame) {
    return MpegHeader.bytes(frame, free);
  }

  /// Walks a whole stream.
  ///
  /// @throws DecodeException with [Fault#CORRUPT] or [Fault#TRUNCATED] if there is no frame
  public void read(MemorySegment mp3) throws DecodeException {
    bytes = mp3;
    long start = Id3.end(mp3);
    end = Id3.trailer(mp3, start);
    bytes = mp3.asSlice(0, end);
    first = firstFrame(start);
    header = MpegHeader.at(bytes, first);
    free = Math.max(0, freeBytes(bytes, first));
    delay = 0;
    padding = 0;
    trimmed = false;
    statedFrames = -1;
    statedBytes = 0;
    long tagFrame = first;
    if (readTag()) {
      first += Math.min(bytes(header), end - first);
    }
    walk();
    cut = isCut(tagFrame);
    if (statedFrames >= 0 && statedFrames != frames && !cut) {
      notes.add(
          Fault.CORRUPT,
          "mp3: the tag says %d frames, there are %d".formatted(statedFrames, frames));
    }
    if (position < end && changeAt < 0 && !cut) {
      notes.add(
          Fault.CORRUPT,
          "mp3: %d bytes after the last frame are neither sound nor a tag [byte %d]"
              .formatted(end - position, position));
    }
  }

  private long firstFrame(long start) throws DecodeException {
    int free = freeBytes(bytes, start);
    if (MpegHeader.valid(MpegHeader.at(bytes, start)) && free >= 0) {
      long next = start + MpegHeader.bytes(MpegHeader.at(bytes, start), free);
      int after = MpegHeader.at(bytes, next);
      if (next >= end || MpegHeader.agree(MpegHeader.at(bytes, start), after)) {
        return start;
      }
    }
    long found = search(bytes, start, Math.min(end, start + (SEARCH << 4)), 3, 0);
    if (found < 0) {
      if (MpegHeader.valid(MpegHeader.at(bytes, start)) && free == 0) {
        return start; // one frame, then something else
      }
      throw new DecodeException(
          end - start < 4 ? Fault.TRUNCATED : Fault.CORRUPT,
          "mp3: no frame in %d bytes after %d bytes of tags".formatted(end - start, start));
    }
    if (found > start) {
      notes.add(
          Fault.TRUNCATED, "mp3: %d bytes before the first whole frame".formatted(found - start));
    }
    return found;
  }

  private void walk() {
    frames = 0;
    gaps = 0;
    changeAt = -1;
    mono = false;
    stereo = false;
    position = first;
    for (long at = next(); at >= 0; at = next()) {
      frames++;
      boolean one = MpegHeader.channels(MpegHeader.at(bytes, at)) == 1;
      mono |= one;
      stereo |= !one;
    }
  }

  /// {@return where the next whole frame lies, -1 after the last; then starts anew at [#rewind]}
  public long next() {
    int here = MpegHeader.at(bytes, position);
    if (!MpegHeader.agree(header, here)) {
      long found = search(bytes, position + 1, end, 2, header);
      if (changeAt < 0) {
        changeAt = search(bytes, position, found < 0 ? end : found, 3, 0);
        changeFrame = frames;
      }
      if (found < 0) {
        return -1;
      }
      gaps += found - position;
      position = found;
      here = MpegHeader.at(bytes, position);
    }
    long at = position;
    long after = at + bytes(here);
    if (after > end) {
      return -1;
    }
    position = after;
    return at;
  }

  /// {@return whether frames follow each other to the end, all with as many channels}
  public boolean clean() {
    return changeAt < 0 && !cut && !replaced() && gaps == 0 && mono != stereo;
  }

  /// Goes back to the first frame of sound.
  public void rewind() {
    position = first;
  }

  /// Whether the data ends early: in the middle of a frame, or before as many frames and bytes as
  /// the tag says. A tag that is wrong about frames alone is just wrong.
  private boolean isCut(long tagFrame) {
    boolean partial =
        MpegHeader.agree(header, MpegHeader.at(bytes, position))
            && position + bytes(MpegHeader.at(bytes, position)) > end;
    if (statedFrames <= 0) {
      return partial || frames == 0;
    }
    return frames < statedFrames && (partial || statedBytes == 0 || statedBytes > end - tagFrame);
  }

  private boolean readTag() {
    long at = first + 4 + MpegHeader.sideBytes(header);
    long limit = Math.min(end, first + bytes(header));
    int checksum = MpegHeader.checksumBytes(header);
    if (isXing(at)) {
      readXing(at, limit);
      return true;
    }
    if (checksum > 0 && isXing(at + checksum)) {
      readXing(at + checksum, limit);
      return true;
    }
    if (Magic.at(bytes, first + 36, "VBRI") && limit - first >= 36 + 18) {
      statedBytes = u32(first + 36 + 10);
      statedFrames = u32(first + 36 + 14);
      return true;
    }
    return false;
  }

  private boolean isXing(long at) {
    return Magic.at(bytes, at, "Xing") || Magic.at(bytes, at, "Info");
  }

  private void readXing(long tag, long limit) {
    long at = tag + 8;
    if (limit < at) {
      return;
    }
    long flags = u32(tag + 4);
    if ((flags & 1) != 0 && limit - at >= 4) {
      statedFrames = u32(at);
      at += 4;
    }
    if ((flags & 2) != 0 && limit - at >= 4) {
      statedBytes = u32(at);
      at += 4;
    }
    at += ((flags & 4) != 0 ? 100 : 0) + ((flags & 8) != 0 ? 4 : 0);
    if (limit - at >= 24 && bytes.get(JAVA_BYTE, at) != 0) { // an encoder's name, then its numbers
      int both = (int) (u32(at + 20) & 0xffffff); // the byte before belongs to another field
      delay = both >> 12;
      padding = both & 0xfff;
      trimmed = true;
    }
  }

  private long u32(long at) {
    return MpegHeader.at(bytes, at) & 0xffffffffL;
  }

  /// {@return the header of the first frame}
  public int header() {
    return header;
  }

  /// {@return whole frames of sound}
  public long frames() {
    return frames;
  }

  /// {@return samples in a frame: 2 where any frame of sound has two}
  public int channels() {
    return stereo || (!mono && MpegHeader.channels(header) == 2) ? 2 : 1;
  }

  /// {@return where frames of another sort start and how many of this sort come before, in words;
  ///     null if all are of one sort}
  public @Nullable String change() {
    if (changeAt < 0) {
      return null;
    }
    int other = MpegHeader.at(bytes, changeAt);
    return "mp3: changes in mid-file from %s to %s, after %d frames with %d samples [byte %d]"
        .formatted(
            MpegHeader.words(header),
            MpegHeader.words(other),
            changeFrame,
            changeFrame * MpegHeader.samples(header),
            changeAt);
  }

  /// {@return whether frames that the tag counts are missing and something else is in their place}
  public boolean replaced() {
    return !cut && frames < statedFrames && position < end;
  }

  /// {@return bytes between frames that belong to none}
  public long gaps() {
    return gaps;
  }

  /// {@return whether the data ends early}
  public boolean cut() {
    return cut;
  }

  /// {@return frames the tag says there are, 0 or less if it does not}
  public long statedFrames() {
    return statedFrames;
  }

  /// {@return samples a channel that all frames together decode to}
  public long samples() {
    return frames * MpegHeader.samples(header);
  }

  /// {@return samples to leave out at the start: the delays of encoder and decoder}
  public long skip() {
    return trimmed ? Math.min(samples(), delay + DECODER_DELAY) : 0;
  }

  /// {@return samples a channel that the encoder was given, or what is left of them}
  public long trimmedSamples() {
    if (!trimmed) {
      return samples();
    }
    long whole = cut && statedFrames > 0 ? statedFrames * MpegHeader.samples(header) : samples();
    return Math.clamp(whole - delay - padding, 0, samples() - skip());
  }
}
