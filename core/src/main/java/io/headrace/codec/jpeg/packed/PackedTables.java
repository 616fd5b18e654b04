package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.SECTIONS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.jpeg.entropy.PackageMerge;
import io.headrace.error.DecodeException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The codes of one picture: for each section one that every reader knows, or its own. A reusable
/// holder.
///
/// Known codes were made from photographs at several qualities (`bench`'s `PackedCodes`). They are
/// part of the format: docs/format.md has them, and they never change.
final class PackedTables {
  /// Says that a picture has a code of its own.
  static final int OWN = 255;

  private static final String RESOURCE = "packed-codes.bin";

  /// Codes that every reader knows: of each set, for each section; null where a section has none.
  private static final SymbolCode[][] KNOWN = known();

  private final SymbolCode[] own = new SymbolCode[SECTIONS];
  private final SymbolCode[] codes = new SymbolCode[SECTIONS];
  private final byte[] lengths = new byte[SymbolCode.SYMBOLS];
  private byte[] bytes = new byte[0];
  private byte[] before = new byte[0];
  private int beforeLength = -1;

  PackedTables() {
    Arrays.setAll(own, _ -> new SymbolCode());
  }

  /// Makes the bytes of a set of codes.
  ///
  /// @param sums by section, then by symbol: how often it occurs; where all are 0 the section has a
  ///     code nobody uses
  static byte[] stored(long[][] sums) {
    byte[] to = new byte[SECTIONS * SymbolCode.SLACK];
    int at = 0;
    for (long[] section : sums) {
      var merge = new PackageMerge(SymbolCode.LONGEST, false);
      long all = Math.max(1, Arrays.stream(section).sum());
      for (int symbol = 0; symbol < SymbolCode.SYMBOLS; symbol++) {
        if (section[symbol] > 0) {
          merge.counts()[symbol] = (int) Math.max(1, section[symbol] * 1_000_000 / all);
        }
      }
      at = SymbolCode.write(merge.lengths(), to, at);
    }
    return Arrays.copyOf(to, at);
  }

  /// {@return sets of codes that every reader knows}
  static int sets() {
    return KNOWN.length;
  }

  /// {@return a code that every reader knows}
  static SymbolCode known(int set, int section) {
    return KNOWN[set][section];
  }

  private static SymbolCode[][] known() {
    try (InputStream in = PackedTables.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        return new SymbolCode[0][];
      }
      byte[] stored = in.readAllBytes();
      byte[] padded = Arrays.copyOf(stored, stored.length + SymbolCode.SLACK);
      var sets = new SymbolCode[stored[0]][SECTIONS];
      byte[] lengths = new byte[SymbolCode.SYMBOLS];
      int at = 1;
      for (SymbolCode[] set : sets) {
        for (int section = 0; section < SECTIONS; section++) {
          at = SymbolCode.read(padded, at, stored.length, lengths);
          set[section] = new SymbolCode();
          if (!set[section].set(lengths, 0)) {
            throw new IllegalStateException(RESOURCE + ": no code");
          }
        }
      }
      return sets;
    } catch (IOException | DecodeException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Reads the codes of a picture, unless they are those of the picture before.
  void read(MemorySegment packed, PackedHeader header) throws DecodeException {
    long size = header.tableBytes();
    if (size > (long) SECTIONS * SymbolCode.SLACK) {
      throw SymbolCode.corrupt();
    }
    int length = (int) size;
    if (bytes.length < length + SymbolCode.SLACK) {
      bytes = new byte[length + SymbolCode.SLACK];
    }
    MemorySegment.copy(packed, JAVA_BYTE, header.tablesStart(), bytes, 0, length);
    if (length == beforeLength && Arrays.equals(bytes, 0, length, before, 0, length)) {
      return;
    }
    beforeLength = -1;
    int at = 0;
    for (int section = 0; section < SECTIONS; section++) {
      int set = at < length ? bytes[at++] & 0xff : -1;
      if (set >= 0 && set < KNOWN.length) {
        codes[section] = KNOWN[set][section];
      } else if (set == OWN) {
        at = SymbolCode.read(bytes, at, length, lengths);
        if (!own[section].set(lengths, 0)) {
          throw SymbolCode.corrupt();
        }
        codes[section] = own[section];
      } else {
        throw SymbolCode.corrupt();
      }
    }
    if (at != length) {
      throw SymbolCode.corrupt();
    }
    byte[] swap = before;
    before = bytes;
    bytes = swap;
    beforeLength = length;
  }

  SymbolCode code(int section) {
    return codes[section];
  }
}
