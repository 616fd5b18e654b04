package io.headrace.codec.stream.deflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Takes the blocks of a deflate stream apart (RFC 1951) into a window on the heap, which holds the
/// last 32 KiB and what has been made since. Faults are told in libz's words.
///
/// Where there is plenty of input and room, one look-up gives a symbol, and the next one is looked
/// up before more bits are loaded, so that neither waits for the other; towards the end of the
/// input symbols are taken one by one.
final class DeflateBlocks {
  /// Bytes made before the window must be moved on, but for a few symbols.
  static final int FULL = 96 << 10;

  private static final int HISTORY = 32 << 10;

  /// More than four literals and a match take, with what is written after it.
  private static final int ROOM = 4 + 258 + 16;

  /// More than is loaded between two looks at how much input there is.
  private static final int PLENTY = 16;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// In which order lengths of code lengths are stored; RFC 1951, 3.2.7.
  private static final byte[] ORDER = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
  };

  private static final byte[] FIXED_LITERALS = new byte[288];
  private static final byte[] FIXED_DISTANCES = new byte[32];

  static {
    Arrays.fill(FIXED_LITERALS, 0, 144, (byte) 8);
    Arrays.fill(FIXED_LITERALS, 144, 256, (byte) 9);
    Arrays.fill(FIXED_LITERALS, 256, 280, (byte) 7);
    Arrays.fill(FIXED_LITERALS, 280, 288, (byte) 8);
    Arrays.fill(FIXED_DISTANCES, (byte) 5);
  }

  /// What comes next.
  private enum State {
    BLOCK,
    STORED_LENGTH,
    STORED,
    CODES,
    TABLES,
    ENDED
  }

  final byte[] window = new byte[FULL + ROOM];
  private final DeflateInput in;
  private final DeflateTable literals = DeflateTable.literals();
  private final DeflateTable distances = DeflateTable.distances();
  private final DeflateTable lengths = DeflateTable.codeLengths();
  private final byte[] codeLengths = new byte[286 + 30];
  private State state = State.BLOCK;
  private boolean last;
  private int stored;

  /// Index of the first byte of this stream in the window, or of the window's first.
  private int first;

  private int at;
  private @Nullable String fault;

  DeflateBlocks(DeflateInput in) {
    this.in = in;
  }

  /// Begins another stream.
  void start() {
    state = State.BLOCK;
    last = false;
    first = at;
    fault = null;
  }

  /// {@return index after the last byte made}
  int at() {
    return at;
  }

  /// {@return whether the last block has ended}
  boolean ended() {
    return state == State.ENDED;
  }

  /// {@return what is wrong with the stream, or null}
  @Nullable String fault() {
    return fault;
  }

  /// Makes room in a full window.
  ///
  /// @return by how much its bytes were moved down
  int slide() {
    int by = Math.max(0, at - HISTORY);
    System.arraycopy(window, by, window, 0, at - by);
    at -= by;
    first = Math.max(0, first - by);
    return by;
  }

  /// Goes on until the input or the room is used up, a fault is found, or the last block has ended.
  ///
  /// @return whether more input is needed
  boolean run() {
    boolean enough = true;
    while (enough && fault == null && state != State.ENDED) {
      switch (state) {
        case BLOCK -> enough = block();
        case STORED_LENGTH -> enough = storedLength();
        case STORED -> {
          copyStored();
          if (stored > 0) {
            return at < FULL;
          }
          endBlock();
        }
        case TABLES -> enough = tables();
        case CODES -> {
          fast();
          enough = state != State.CODES || fault != null || at >= FULL || symbol();
          if (at >= FULL) {
            return false;
          }
        }
        case ENDED -> {}
      }
    }
    return !enough;
  }

  private void endBlock() {
    state = last ? State.ENDED : State.BLOCK;
  }

  /// Goes back to the mark if there were too few bits.
  ///
  /// @return whether there were enough
  private boolean whole() {
    if (in.overrun()) {
      in.reset();
      return false;
    }
    return true;
  }

  private boolean block() {
    in.mark();
    in.load();
    boolean isLast = in.take(1) == 1;
    int type = in.take(2);
    if (!whole()) {
      return false;
    }
    last = isLast;
    switch (type) {
      case 0 -> state = State.STORED_LENGTH;
      case 1 -> {
        boolean _ = literals.build(FIXED_LITERALS, 0, 288, false);
        boolean _ = distances.build(FIXED_DISTANCES, 0, 32, false);
        state = State.CODES;
      }
      case 2 -> state = State.TABLES;
      default -> fault = "invalid block type";
    }
    return true;
  }

  private boolean storedLength() {
    in.align();
    if (in.available() < 4) {
      return false;
    }
    int length = in.take() | in.take() << 8;
    int complement = in.take() | in.take() << 8;
    if (length != (~complement & 0xffff)) {
      fault = "invalid stored block lengths";
    }
    stored = length;
    state = State.STORED;
    return true;
  }

  private void copyStored() {
    int n = Math.min(stored, Math.min(in.available(), Math.max(0, FULL - at)));
    System.arraycopy(in.bytes, in.next, window, at, n);
    in.next += n;
    at += n;
    stored -= n;
  }

  private boolean tables() {
    in.mark();
    in.load();
    int literalCodes = in.take(5) + 257;
    int distanceCodes = in.take(5) + 1;
    int lengthCodes = in.take(4) + 4;
    String wrong =
        literalCodes > 286 || distanceCodes > 30
            ? "too many length or distance symbols"
            : readLengths(lengthCodes, literalCodes + distanceCodes);
    if (!whole()) {
      return false;
    }
    if (wrong == null && codeLengths[256] == 0) {
      wrong = "invalid code -- missing end-of-block";
    }
    if (wrong == null && !literals.build(codeLengths, 0, literalCodes, true)) {
      wrong = "invalid literal/lengths set";
    }
    if (wrong == null && !distances.build(codeLengths, literalCodes, distanceCodes, true)) {
      wrong = "invalid distances set";
    }
    fault = wrong;
    state = State.CODES;
    return true;
  }

  private @Nullable String readLengths(int lengthCodes, int n) {
    Arrays.fill(codeLengths, 0, ORDER.length, (byte) 0);
    for (int i = 0; i < lengthCodes; i++) {
      in.load();
      codeLengths[ORDER[i]] = (byte) in.take(3);
    }
    if (!lengths.build(codeLengths, 0, ORDER.length, false)) {
      return "invalid code lengths set";
    }
    int i = 0;
    while (i < n) {
      in.load();
      int entry = lengths.entries[(int) in.bits & lengths.mask()];
      in.skip(entry & 63);
      int symbol = entry >>> 16;
      if (symbol < 16) {
        codeLengths[i++] = (byte) symbol;
        continue;
      }
      if (symbol == 16 && i == 0) {
        return "invalid bit length repeat";
      }
      byte repeated = symbol == 16 ? codeLengths[i - 1] : 0;
      int times =
          switch (symbol) {
            case 16 -> 3 + in.take(2);
            case 17 -> 3 + in.take(3);
            default -> 11 + in.take(7);
          };
      if (times > n - i) {
        return "invalid bit length repeat";
      }
      Arrays.fill(codeLengths, i, i + times, repeated);
      i += times;
    }
    return null;
  }

  /// Takes symbols while there is plenty of input and room.
  private void fast() {
    byte[] input = in.bytes;
    byte[] out = window;
    int[] literal = literals.entries;
    int[] distance = distances.entries;
    int literalMask = literals.mask();
    int distanceMask = distances.mask();
    int inEnd = in.end - PLENTY;
    int next = in.next;
    long bits = in.bits;
    int count = in.count;
    int to = at;
    bits |= (long) WORDS.get(input, next) << count;
    next += (63 - count) >>> 3;
    count |= 56;
    int e = literal[(int) bits & literalMask];
    while (next < inEnd && to < FULL) {
      bits |= (long) WORDS.get(input, next) << count; // above those that led to the entry
      next += ((63 - count) >>> 3) & 7;
      count |= 56;
      if (e < 0) {
        bits >>>= e;
        count -= e;
        out[to++] = (byte) (e >>> 16);
        e = literal[(int) bits & literalMask];
        if (e < 0) {
          bits >>>= e;
          count -= e;
          out[to++] = (byte) (e >>> 16);
          e = literal[(int) bits & literalMask];
          if (e < 0) {
            bits >>>= e;
            count -= e;
            out[to++] = (byte) (e >>> 16);
            e = literal[(int) bits & literalMask];
            if (e < 0) {
              bits >>>= e;
              count -= e;
              out[to++] = (byte) (e >>> 16);
              e = literal[(int) bits & literalMask];
              continue;
            }
          }
        }
      }
      // after three literals of 11 bits there are 23: enough for a length's 15 and 5
      if ((e & (DeflateTable.MORE | DeflateTable.END | DeflateTable.INVALID)) != 0) {
        if ((e & DeflateTable.MORE) != 0) {
          bits >>>= e;
          count -= e;
          e = literal[(e >>> 16) + ((int) bits & ((1 << (e >>> 8 & 15)) - 1))];
          if (e < 0) {
            bits >>>= e;
            count -= e;
            out[to++] = (byte) (e >>> 16);
            bits |= (long) WORDS.get(input, next) << count;
            next += ((63 - count) >>> 3) & 7;
            count |= 56;
            e = literal[(int) bits & literalMask];
            continue;
          }
        }
        if ((e & (DeflateTable.END | DeflateTable.INVALID)) != 0) {
          bits >>>= e;
          count -= e;
          if ((e & DeflateTable.END) != 0) {
            endBlock();
          } else {
            fault = "invalid literal/length code";
          }
          break;
        }
      }
      int length = (e >>> 16) + ((int) (bits & ((1L << e) - 1)) >>> (e >>> 8 & 15));
      bits >>>= e;
      count -= e;
      bits |= (long) WORDS.get(input, next) << count;
      next += ((63 - count) >>> 3) & 7;
      count |= 56;
      e = distance[(int) bits & distanceMask];
      if ((e & DeflateTable.MORE) != 0) {
        bits >>>= e;
        count -= e;
        e = distance[(e >>> 16) + ((int) bits & ((1 << (e >>> 8 & 15)) - 1))];
      }
      int back = (e >>> 16) + ((int) (bits & ((1L << e) - 1)) >>> (e >>> 8 & 15));
      bits >>>= e;
      count -= e;
      if ((e & DeflateTable.INVALID) != 0 || back > to - first) {
        fault = distanceFault(e);
        break;
      }
      e = literal[(int) bits & literalMask];
      copy(out, to, back, length);
      to += length;
    }
    in.next = next;
    in.bits = bits;
    in.count = count & 63;
    at = to;
  }

  private static String distanceFault(int entry) {
    return (entry & DeflateTable.INVALID) != 0
        ? "invalid distance code"
        : "invalid distance too far back";
  }

  /// Repeats bytes; up to fifteen bytes after them are written, too.
  private static void copy(byte[] out, int to, int back, int length) {
    int end = to + length;
    if (back >= 8) {
      WORDS.set(out, to, (long) WORDS.get(out, to - back));
      WORDS.set(out, to + 8, (long) WORDS.get(out, to + 8 - back)); // most matches end here
      for (int at = to + 16; at < end; at += 8) {
        WORDS.set(out, at, (long) WORDS.get(out, at - back));
      }
    } else if (back == 1) {
      Arrays.fill(out, to, end, out[to - 1]);
    } else {
      for (int at = to; at < end; at++) {
        out[at] = out[at - back];
      }
    }
  }

  /// Takes one symbol.
  ///
  /// @return whether there was enough input
  private boolean symbol() {
    in.mark();
    int e = look(literals);
    int extra = in.take(e & 63) >>> (e >>> 8 & 15);
    if ((e & (DeflateTable.END | DeflateTable.INVALID)) != 0 || e < 0) {
      if (!whole()) {
        return false;
      }
      if (e < 0) {
        window[at++] = (byte) (e >>> 16);
      } else if ((e & DeflateTable.END) != 0) {
        endBlock();
      } else {
        fault = "invalid literal/length code";
      }
      return true;
    }
    int length = (e >>> 16) + extra;
    e = look(distances);
    int back = (e >>> 16) + (in.take(e & 63) >>> (e >>> 8 & 15));
    if (!whole()) {
      return false;
    }
    if ((e & DeflateTable.INVALID) != 0 || back > at - first) {
      fault = distanceFault(e);
      return true;
    }
    copy(window, at, back, length);
    at += length;
    return true;
  }

  /// {@return the entry of the next symbol, whose bits are loaded and not passed over}
  private int look(DeflateTable table) {
    in.load();
    int e = table.entries[(int) in.bits & table.mask()];
    if (e >= 0 && (e & DeflateTable.MORE) != 0) {
      in.skip(e & 63);
      e = table.entries[(e >>> 16) + ((int) in.bits & ((1 << (e >>> 8 & 15)) - 1))];
    }
    return e;
  }
}
