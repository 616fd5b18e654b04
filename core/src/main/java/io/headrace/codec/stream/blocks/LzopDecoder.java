package io.headrace.codec.stream.blocks;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.nio.ByteBuffer;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/// The format of the `lzop` command; layout at [LzopEncoder]. Its blocks are on the heap.
public final class LzopDecoder extends FieldDecoder {
  /// lzop writes blocks of 256 KiB.
  private static final int MAX_BLOCK = 16 << 20;

  /// Bytes up to the length of the name.
  private static final int HEAD = 34;

  private static final int PLAIN_SUMS = LzopEncoder.PLAIN_ADLER | LzopEncoder.PLAIN_CRC;
  private static final int CHECKSUMS =
      PLAIN_SUMS | LzopEncoder.PACKED_ADLER | LzopEncoder.PACKED_CRC;

  private static final byte[] MAGIC = LzopEncoder.magic();
  private static final int MIN_VERSION = 0x0940;

  /// Bits of the flags that change nothing of the layout: where, and of what, a file was made.
  private static final int HARMLESS = 0xfff0_0000 | 0x20bc;

  private enum State {
    HEAD,
    NAME,
    EXTRA,
    BLOCK,
    CHECKSUMS,
    BYTES
  }

  private final int maxBlock;
  private final Checksum adler = new Adler32();
  private final Checksum crc = new CRC32();
  private State state = State.HEAD;

  private int flags;
  private int plainBytes;
  private int packedBytes;
  private int plainAdler;
  private int plainCrc;
  private int packedAdler;
  private int packedCrc;

  /// @param maxWindowLog a block may take 2 to this bytes
  public LzopDecoder(int maxWindowLog) {
    maxBlock = (int) Math.min(MAX_BLOCK, 1L << maxWindowLog);
    field = ByteBuffer.allocate(512);
    reset();
  }

  @Override
  boolean take() throws DecodeException {
    switch (state) {
      case HEAD -> {
        head();
        want(State.NAME, HEAD + (field.get(HEAD - 1) & 0xff) + Integer.BYTES);
      }
      case NAME -> {
        int end = wanted - Integer.BYTES;
        Checksum sum = (flags & LzopEncoder.HEAD_CRC) != 0 ? crc : adler;
        sum.reset();
        sum.update(field.array(), MAGIC.length, end - MAGIC.length);
        require("the head", (int) sum.getValue(), field.getInt(end));
        begin((flags & LzopEncoder.EXTRA) != 0 ? State.EXTRA : State.BLOCK, 4);
      }
      case EXTRA -> {
        int bytes = field.getInt(0);
        if (bytes < 0 || bytes > maxBlock) {
          throw corrupt("extra field of %d bytes".formatted(bytes));
        }
        if (wanted < bytes + 8) {
          want(State.EXTRA, bytes + 8);
        } else {
          begin(State.BLOCK, 4);
        }
      }
      case BLOCK -> {
        return blockHead();
      }
      case CHECKSUMS -> checksums();
      case BYTES -> block();
    }
    return false;
  }

  /// Collects a field that goes on.
  private void want(State next, int bytes) {
    state = next;
    wanted = bytes;
    if (bytes > field.capacity()) {
      field = ByteBuffer.allocate(bytes).put(field.flip());
    }
  }

  /// Collects another field.
  private void begin(State next, int bytes) {
    field.clear();
    want(next, bytes);
  }

  private void head() throws DecodeException {
    for (int i = 0; i < MAGIC.length; i++) {
      if (field.get(i) != MAGIC[i]) {
        throw corrupt("stream begins with %02x at byte %d".formatted(field.get(i), i));
      }
    }
    int needed = field.getShort(13) & 0xffff;
    int method = field.get(15);
    flags = field.getInt(17);
    if ((field.getShort(9) & 0xffff) < MIN_VERSION || needed > 0x1040 || method < 1 || method > 3) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "lzop: method %d, which needs version %x".formatted(method, needed));
    }
    if ((flags & ~(HARMLESS | CHECKSUMS | LzopEncoder.EXTRA | LzopEncoder.HEAD_CRC)) != 0) {
      throw new DecodeException(Fault.UNSUPPORTED, "lzop: flags %x".formatted(flags));
    }
  }

  /// {@return whether the stream ends here}
  private boolean blockHead() throws DecodeException {
    plainBytes = field.getInt(0);
    if (plainBytes == 0) {
      return true;
    }
    if (wanted < 8) {
      want(State.BLOCK, 8);
      return false;
    }
    packedBytes = field.getInt(4);
    if (plainBytes < 0 || plainBytes > maxBlock) {
      throw new DecodeException(
          Fault.LIMIT,
          "lzop: a block of %d bytes, at most %d are read"
              .formatted(plainBytes & 0xffff_ffffL, maxBlock));
    }
    if (packedBytes < 1 || packedBytes > plainBytes) {
      throw corrupt("a block of %d bytes in %d".formatted(plainBytes, packedBytes));
    }
    int sums = packedBytes < plainBytes ? CHECKSUMS : PLAIN_SUMS;
    begin(State.CHECKSUMS, Integer.BYTES * Integer.bitCount(flags & sums));
    return false;
  }

  private void checksums() {
    field.flip();
    boolean packed = packedBytes < plainBytes;
    plainAdler = (flags & LzopEncoder.PLAIN_ADLER) != 0 ? field.getInt() : 0;
    plainCrc = (flags & LzopEncoder.PLAIN_CRC) != 0 ? field.getInt() : 0;
    packedAdler = packed && (flags & LzopEncoder.PACKED_ADLER) != 0 ? field.getInt() : 0;
    packedCrc = packed && (flags & LzopEncoder.PACKED_CRC) != 0 ? field.getInt() : 0;
    begin(State.BYTES, packedBytes);
  }

  private void block() throws DecodeException {
    boolean packed = packedBytes < plainBytes;
    field.flip();
    if (packed) {
      check("compressed bytes", LzopEncoder.PACKED_ADLER, adler, field, packedAdler);
      check("compressed bytes", LzopEncoder.PACKED_CRC, crc, field, packedCrc);
    }
    if (plain.capacity() < plainBytes) {
      plain = ByteBuffer.allocate(plainBytes);
    }
    plain.clear().limit(plainBytes);
    boolean done = false;
    try {
      if (packed) {
        Lzo.decompress(field, plain);
      } else {
        plain.put(field);
      }
      plain.flip();
      check("a block", LzopEncoder.PLAIN_ADLER, adler, plain, plainAdler);
      check("a block", LzopEncoder.PLAIN_CRC, crc, plain, plainCrc);
      done = true;
    } finally {
      plain.position(done ? 0 : plain.limit());
    }
    begin(State.BLOCK, 4);
  }

  private void check(String what, int flag, Checksum sum, ByteBuffer bytes, int expected)
      throws DecodeException {
    if ((flags & flag) != 0) {
      sum.reset();
      sum.update(bytes.duplicate());
      require(what, (int) sum.getValue(), expected);
    }
  }

  private static void require(String what, int found, int expected) throws DecodeException {
    if (found != expected) {
      throw corrupt("checksum of %s is %08x, expected %08x".formatted(what, found, expected));
    }
  }

  private static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "lzop: " + what);
  }

  @Override
  public void reset() {
    plain.position(0).limit(0);
    begin(State.HEAD, HEAD);
  }

  @Override
  public void close() {
    // nothing outside the heap
  }
}
