package io.headrace.sound;

import static io.headrace.natives.NativeLibrary.SNDFILE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.headrace.natives.Downcalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Functions of `sndfile.h`, libsndfile 1.1. Its `sf_count_t` is 64 bits wide.
final class SoundFile {
  // modes
  static final int SFM_READ = 0x10;
  static final int SFM_WRITE = 0x20;

  // SF_FORMAT_…: what files are
  static final int FORMAT_WAV = 0x010000;
  static final int FORMAT_FLAC = 0x170000;
  static final int FORMAT_OGG = 0x200000;
  static final int FORMAT_MPEG = 0x230000;

  // SF_FORMAT_…: what samples are
  static final int SUB_MASK = 0xffff; // SF_FORMAT_SUBMASK
  static final int PCM_S8 = 1;
  static final int PCM_16 = 2;
  static final int PCM_24 = 3;
  static final int PCM_32 = 4;
  static final int PCM_U8 = 5;
  static final int FLOAT = 6;
  static final int DOUBLE = 7;
  static final int ULAW = 0x10;
  static final int ALAW = 0x11;
  static final int VORBIS = 0x60;
  static final int MPEG_LAYER_III = 0x82;

  // SFC_…: commands
  static final int SET_ADD_PEAK_CHUNK = 0x1050;
  static final int SET_VBR_ENCODING_QUALITY = 0x1300;
  static final int SET_COMPRESSION_LEVEL = 0x1301;
  static final int SET_BITRATE_MODE = 0x1305;

  // SF_BITRATE_MODE_…
  static final int BITRATE_CONSTANT = 0;
  static final int BITRATE_VARIABLE = 2;

  /// Bytes of `SF_INFO`: frames (64 bits), rate, channels, format, sections, seekable.
  static final long INFO_BYTES = 32;

  private static final MethodHandle OPEN_VIRTUAL =
      SNDFILE.link("void* sf_open_virtual(void*, int, void*, void*)");
  private static final MethodHandle CLOSE = SNDFILE.link("int sf_close(void*)");
  private static final MethodHandle ERROR = SNDFILE.link("int sf_error(void*)");
  private static final MethodHandle STRERROR = SNDFILE.link("void* sf_strerror(void*)");
  private static final MethodHandle COMMAND =
      SNDFILE.link("int sf_command(void*, int, void*, int)");
  private static final MethodHandle READ_SHORT = transfer("sf_readf_short");
  private static final MethodHandle READ_INT = transfer("sf_readf_int");
  private static final MethodHandle READ_FLOAT = transfer("sf_readf_float");
  private static final MethodHandle WRITE_SHORT = transfer("sf_writef_short");
  private static final MethodHandle WRITE_INT = transfer("sf_writef_int");
  private static final MethodHandle WRITE_FLOAT = transfer("sf_writef_float");

  private SoundFile() {}

  private static MethodHandle transfer(String function) {
    return SNDFILE.link("long %s(void*, void*, long)".formatted(function));
  }

  /// {@return a sound file, to be given to [#close], or `NULL`}
  ///
  /// @param io a `SF_VIRTUAL_IO`
  /// @param info a `SF_INFO`, read or filled in
  static MemorySegment openVirtual(MemorySegment io, int mode, MemorySegment info) {
    try {
      return (MemorySegment) OPEN_VIRTUAL.invokeExact(io, mode, info, MemorySegment.NULL);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  static int close(MemorySegment file) {
    try {
      return (int) CLOSE.invokeExact(file);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return the error of the last call on `file`: every call clears it first}
  static int error(MemorySegment file) {
    try {
      return (int) ERROR.invokeExact(file);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return words for the last error on `file` or, for `NULL`, of the last open}
  static String strerror(MemorySegment file) {
    try {
      return Downcalls.string((MemorySegment) STRERROR.invokeExact(file)).strip();
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// Gives a command that takes a `double`.
  ///
  /// @param scratch 8 bytes
  static int command(MemorySegment file, int command, double value, MemorySegment scratch) {
    scratch.set(JAVA_DOUBLE, 0, value);
    return command(file, command, scratch, Double.BYTES);
  }

  /// Gives a command that takes an `int`.
  ///
  /// @param scratch 4 bytes
  static int command(MemorySegment file, int command, int value, MemorySegment scratch) {
    scratch.set(JAVA_INT, 0, value);
    return command(file, command, scratch, Integer.BYTES);
  }

  static int command(MemorySegment file, int command, MemorySegment data, int size) {
    try {
      return (int) COMMAND.invokeExact(file, command, data, size);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return frames read into `samples`, fewer than asked for at the end}
  static long read(MemorySegment file, SampleType type, MemorySegment samples, long frames) {
    try {
      return switch (type) {
        case INT16 -> (long) READ_SHORT.invokeExact(file, samples, frames);
        case INT32 -> (long) READ_INT.invokeExact(file, samples, frames);
        case FLOAT32 -> (long) READ_FLOAT.invokeExact(file, samples, frames);
      };
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return frames written}
  static long write(MemorySegment file, SampleType type, MemorySegment samples, long frames) {
    try {
      return switch (type) {
        case INT16 -> (long) WRITE_SHORT.invokeExact(file, samples, frames);
        case INT32 -> (long) WRITE_INT.invokeExact(file, samples, frames);
        case FLOAT32 -> (long) WRITE_FLOAT.invokeExact(file, samples, frames);
      };
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }
}
