package io.headrace.sound.framing;

import static io.headrace.memory.LittleEndian.U16;
import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// The chunks of a WAV file: what its samples are, where they lie, and how many it says it has.
/// Sources: RIFF (Microsoft and IBM, 1991), RF64 (EBU Tech 3306), BW64 (ITU-R BS.2088).
public final class RiffStream {
  /// Sizes from here on come from programs that write to a pipe: they mean "to the end".
  private static final long UNKNOWN = 0x7ffff000L;

  /// A size that stands in the `ds64` chunk.
  private static final long IN_DS64 = 0xffffffffL;

  /// Bytes of a chunk's name and size, and of a format without extension.
  private static final int CHUNK = 8;

  private static final int FORMAT = 16;

  private static final int PCM = 1;
  private static final int FLOAT = 3;
  private static final int EXTENSIBLE = 0xfffe;

  private MemorySegment wav = MemorySegment.NULL;
  private boolean formatted;
  private int coding;
  private int channels;
  private int rate;
  private int frameBytes;
  private int bits;
  private int container;
  private long data;
  private long dataBytes;
  private long missing;

  /// Walks the chunks of a file that starts as WAV.
  ///
  /// @param notes takes what is odd about them
  /// @throws DecodeException with [Fault#CORRUPT] or [Fault#TRUNCATED] if there is no format or no
  ///     data chunk
  public void read(MemorySegment wav, Notes notes) throws DecodeException {
    this.wav = wav;
    formatted = false;
    data = -1;
    missing = 0;
    long end = wav.byteSize();
    long longSize = -1; // of the data chunk, from a `ds64` chunk
    long at = 12;
    while (isChunk(at)) {
      long size = size(at);
      if (Magic.at(wav, at, "ds64") && end - at >= CHUNK + 16) {
        longSize = wav.get(U64, at + 16);
      } else if (Magic.at(wav, at, "fmt ") && end - at >= CHUNK + FORMAT && !formatted) {
        format(at + CHUNK, Math.min(size, end - at - CHUNK));
      } else if (Magic.at(wav, at, "data")) {
        if (data >= 0) {
          throw new DecodeException(
              Fault.UNSUPPORTED, "wav: has more than one data chunk [byte %d]".formatted(at));
        }
        size = data(at + CHUNK, size, longSize, notes);
      }
      at += CHUNK + size;
      at += size % 2 != 0 && !(isKnown(at) && !isKnown(at + 1)) ? 1 : 0; // some leave out the pad
    }
    if (!formatted || data < 0) {
      String what = formatted ? "data" : "fmt";
      throw new DecodeException(
          at > end || end - at >= CHUNK || cut() ? Fault.TRUNCATED : Fault.CORRUPT,
          "wav: there is no %s chunk in %d bytes".formatted(what, end));
    }
    if (at > end + 1) {
      notes.add(
          Fault.CORRUPT,
          "wav: the last chunk says %d bytes more than there are".formatted(at - end));
    }
    if (at < end && !(end - at == 1 && wav.get(JAVA_BYTE, at) == 0)) {
      notes.add(
          Fault.CORRUPT,
          "wav: %d bytes after the last chunk are none [byte %d]".formatted(end - at, at));
    }
  }

  private long size(long at) {
    return wav.get(U32, at + 4) & 0xffffffffL;
  }

  /// {@return whether the name of a chunk, in ASCII, and its size lie at `at`}
  private boolean isChunk(long at) {
    if (at > wav.byteSize() - CHUNK) {
      return false;
    }
    for (int i = 0; i < 4; i++) {
      byte letter = wav.get(JAVA_BYTE, at + i);
      if (letter < ' ' || letter == 0x7f) {
        return false;
      }
    }
    return true;
  }

  private boolean isKnown(long at) {
    return isChunk(at)
        && (Magic.at(wav, at, "data") || Magic.at(wav, at, "fmt ") || Magic.at(wav, at, "LIST"));
  }

  private void format(long at, long size) {
    formatted = true;
    coding = wav.get(U16, at) & 0xffff;
    channels = wav.get(U16, at + 2) & 0xffff;
    rate = wav.get(U32, at + 4);
    frameBytes = wav.get(U16, at + 12) & 0xffff;
    bits = wav.get(U16, at + 14) & 0xffff;
    container = bits;
    if (coding == EXTENSIBLE && size >= 26) {
      int valid = wav.get(U16, at + 18) & 0xffff;
      bits = valid > 0 && valid < bits ? valid : bits;
      coding = wav.get(U16, at + 24) & 0xffff; // the first bytes of its GUID
    }
  }

  /// {@return bytes of the data chunk, as far as it goes}
  private long data(long at, long stated, long longSize, Notes notes) throws DecodeException {
    data = at;
    long left = wav.byteSize() - at;
    long size = stated == IN_DS64 && longSize >= 0 ? longSize : stated;
    boolean empty = size == 0 && left > 0;
    if (empty && !(isChunk(at) && size(at) <= left - CHUNK)) {
      if (formatted && !plain()) {
        throw new DecodeException(
            Fault.CORRUPT,
            "wav: the data chunk says 0 bytes, %d follow [byte %d]".formatted(left, at));
      }
      notes.add(
          Fault.CORRUPT,
          "wav: the data chunk says 0 bytes, the %d that follow are taken as samples [byte %d]"
              .formatted(left, at));
      size = left;
    } else if (size == stated && size >= UNKNOWN) {
      size = left;
    }
    dataBytes = Math.min(size, left);
    missing = size - dataBytes;
    return dataBytes;
  }

  /// Whether the file is shorter than it says.
  private boolean cut() {
    return wav.byteSize() < 12 || (wav.get(U32, 4) & 0xffffffffL) > wav.byteSize() - 8;
  }

  /// {@return whether samples are stored as they are: integers or floating point}
  public boolean plain() {
    return coding == PCM || coding == FLOAT;
  }

  public boolean floating() {
    return coding == FLOAT;
  }

  /// {@return number of the coding, as Microsoft registered it}
  public int coding() {
    return coding;
  }

  public int channels() {
    return channels;
  }

  /// {@return hertz}
  public int sampleRate() {
    return rate;
  }

  /// {@return bits of a sample that are said to count}
  public int bits() {
    return bits;
  }

  /// {@return bytes a sample takes, where they are stored as they are}
  public int sampleBytes() {
    int least = (container + 7) / 8;
    boolean whole = channels > 0 && frameBytes % channels == 0 && frameBytes / channels >= least;
    return whole ? frameBytes / channels : least;
  }

  /// {@return the samples}
  public MemorySegment data() {
    return wav.asSlice(data, dataBytes);
  }

  /// {@return bytes of samples that the data chunk says it has beyond the end of the file}
  public long missing() {
    return missing;
  }
}
