package io.headrace.codec.stream.deflate;

import io.headrace.codec.stream.coder.Decoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.nio.ByteBuffer;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/// Inflates without libz, out of a zlib (RFC 1950) or a gzip (RFC 1952) wrapping. Compares their
/// checksums; words faults as libz does.
///
/// Works on the heap, in buffers of fixed size: 130 KiB and a few tables, whatever the stream.
public final class InflateDecoder implements Decoder {
  private static final int FLAG_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int FLAGS_RESERVED = 0xe0;
  private static final int DEFLATE = 8;
  private static final int GZIP_HEADER = 10;

  /// What comes next.
  private enum State {
    HEADER,
    EXTRA_LENGTH,
    EXTRA,
    NAME,
    COMMENT,
    HEADER_CRC,
    BLOCKS,
    CHECKSUM,
    LENGTH,
    ENDED
  }

  private final boolean gzip;
  private final DeflateInput in = new DeflateInput();
  private final DeflateBlocks blocks = new DeflateBlocks(in);
  private final Checksum checksum;
  private final CRC32 headerCrc = new CRC32();
  private State state = State.HEADER;
  private int flags;
  private int extra;

  /// Bytes of the stream, modulo 2 to the 32, as gzip's trailer has them.
  private int length;

  /// Indices in the window: after what was handed out, and after what is in the checksum.
  private int given;

  private int summed;
  private @Nullable DecodeException fault;

  /// @param gzip whether its streams are of gzip, else of zlib
  public InflateDecoder(boolean gzip) {
    this.gzip = gzip;
    checksum = gzip ? new CRC32() : new Adler32();
  }

  @Override
  public boolean decode(ByteBuffer from, ByteBuffer to) throws DecodeException {
    boolean more = true;
    while (true) {
      int n = Math.min(blocks.at() - given, to.remaining());
      to.put(blocks.window, given, n);
      given += n;
      if (given < blocks.at()) {
        return false;
      }
      if (fault != null) {
        throw fault;
      }
      if (state == State.ENDED) {
        return true;
      }
      if (!more || !to.hasRemaining()) {
        return false;
      }
      more = make(from);
    }
  }

  /// Makes some bytes, out of what there is.
  ///
  /// @return false if more input is needed for anything further
  private boolean make(ByteBuffer from) {
    if (blocks.at() >= DeflateBlocks.FULL) {
      int by = blocks.slide();
      given -= by;
      summed -= by;
    }
    while (true) {
      in.fill(from);
      boolean starved = false;
      try {
        while (!starved && state != State.ENDED && !(blocks.at() >= DeflateBlocks.FULL)) {
          starved = !step();
        }
        if (starved && from.hasRemaining()) {
          continue;
        }
      } catch (DecodeException e) {
        fault = e;
      }
      sum();
      if (!starved) {
        in.giveBack(from); // what a unit was short of is kept: it belongs to this stream
      }
      return !starved;
    }
  }

  /// One part of the stream.
  ///
  /// @return whether there was enough input
  private boolean step() throws DecodeException {
    return switch (state) {
      case HEADER -> gzip ? gzipHeader() : zlibHeader();
      case EXTRA_LENGTH -> extraLength();
      case EXTRA -> skipExtra();
      case NAME -> skipText(FLAG_NAME, State.COMMENT);
      case COMMENT -> skipText(FLAG_COMMENT, State.HEADER_CRC);
      case HEADER_CRC -> headerCrc();
      case BLOCKS -> blocks();
      case CHECKSUM -> checksum();
      case LENGTH -> length();
      case ENDED -> true;
    };
  }

  private boolean zlibHeader() throws DecodeException {
    if (in.available() < 2) {
      return false;
    }
    int method = in.take();
    int check = in.take();
    if ((method << 8 | check) % 31 != 0) {
      throw corrupt("incorrect header check");
    }
    if ((method & 15) != DEFLATE) {
      throw corrupt("unknown compression method");
    }
    if (method >> 4 > 7) {
      throw corrupt("invalid window size");
    }
    if ((check & 0x20) != 0) {
      throw new DecodeException(Fault.UNSUPPORTED, "zlib stream with a preset dictionary");
    }
    state = State.BLOCKS;
    return true;
  }

  private boolean gzipHeader() throws DecodeException {
    if (in.available() < 2) {
      return false;
    }
    if (in.bytes[in.next] != 0x1f || in.bytes[in.next + 1] != (byte) 0x8b) {
      throw corrupt("incorrect header check");
    }
    if (in.available() < GZIP_HEADER) {
      return false;
    }
    if (in.bytes[in.next + 2] != DEFLATE) {
      throw corrupt("unknown compression method");
    }
    flags = in.bytes[in.next + 3] & 0xff;
    if ((flags & FLAGS_RESERVED) != 0) {
      throw corrupt("unknown header flags set");
    }
    headerCrc.reset();
    pass(GZIP_HEADER); // time, level and system are nobody's concern
    state = State.EXTRA_LENGTH;
    return true;
  }

  /// Passes over bytes of the header.
  private void pass(int n) {
    headerCrc.update(in.bytes, in.next, n);
    in.next += n;
  }

  private boolean extraLength() {
    if ((flags & FLAG_EXTRA) == 0) {
      state = State.NAME;
      return true;
    }
    if (in.available() < 2) {
      return false;
    }
    extra = (in.bytes[in.next] & 0xff) | ((in.bytes[in.next + 1] & 0xff) << 8);
    pass(2);
    state = State.EXTRA;
    return true;
  }

  private boolean skipExtra() {
    int n = Math.min(extra, in.available());
    pass(n);
    extra -= n;
    if (extra == 0) {
      state = State.NAME;
    }
    return extra == 0;
  }

  /// Passes over text up to its zero.
  private boolean skipText(int flag, State then) {
    if ((flags & flag) != 0) {
      int at = in.next;
      while (at < in.end && in.bytes[at] != 0) {
        at++;
      }
      boolean whole = at < in.end;
      pass(at - in.next + (whole ? 1 : 0));
      if (!whole) {
        return false;
      }
    }
    state = then;
    return true;
  }

  private boolean headerCrc() throws DecodeException {
    if ((flags & FLAG_CRC) != 0) {
      if (in.available() < 2) {
        return false;
      }
      int stored = in.take() | in.take() << 8;
      if (stored != ((int) headerCrc.getValue() & 0xffff)) {
        throw corrupt("header crc mismatch");
      }
    }
    state = State.BLOCKS;
    return true;
  }

  private boolean blocks() throws DecodeException {
    boolean starved = blocks.run();
    String wrong = blocks.fault();
    if (wrong != null) {
      throw corrupt(wrong);
    }
    if (blocks.ended()) {
      in.align();
      sum();
      state = State.CHECKSUM;
    }
    return !starved;
  }

  /// Takes what was made since into the checksum.
  private void sum() {
    checksum.update(blocks.window, summed, blocks.at() - summed);
    length += blocks.at() - summed;
    summed = blocks.at();
  }

  private boolean checksum() throws DecodeException {
    if (in.available() < 4) {
      return false;
    }
    int stored = number();
    if ((gzip ? stored : Integer.reverseBytes(stored)) != (int) checksum.getValue()) {
      throw new DecodeException(Fault.CORRUPT, label() + " CRC: incorrect data check");
    }
    state = gzip ? State.LENGTH : State.ENDED;
    return true;
  }

  private boolean length() throws DecodeException {
    if (in.available() < 4) {
      return false;
    }
    if (number() != length) {
      throw new DecodeException(Fault.CORRUPT, "gzip CRC: incorrect length check");
    }
    state = State.ENDED;
    return true;
  }

  private int number() {
    return in.take() | in.take() << 8 | in.take() << 16 | in.take() << 24;
  }

  private String label() {
    return gzip ? "gzip" : "zlib";
  }

  private DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, label() + ": " + what);
  }

  @Override
  public void reset() {
    in.clear();
    blocks.start();
    given = blocks.at();
    summed = blocks.at();
    checksum.reset();
    length = 0;
    fault = null;
    state = State.HEADER;
  }

  @Override
  public void close() {
    // holds nothing
  }
}
