package io.headrace.codec.jpeg.packed;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// How a packed picture lies in memory: numbers are little endian.
///
/// ```
///  0 "HRPJ"                                    20 u32 offset of the end of band 1
///  4 u8 version, 1                             24 u32 of band 2
///  5 u8 flags                                  28 u32 of band 3
///  6 u16 MCUs of a tile, across                32 u32 bytes of the JPEG's header
///  8 u16 MCUs of a tile, down                  36 u32 bytes of the code tables
/// 10 u16 0                                     40 u32 bytes of the JPEG after its coded data
/// 12 u32 bytes of the JPEG                     44 the JPEG's header, up to its coded data
/// 16 u32 CRC-32C of the JPEG                      code tables · bands 1, 2 and 3 · the JPEG's end
/// ```
///
/// A band is an index of its tiles, then their bytes. Band 1 holds the first coefficient of each
/// block and those from 1 to 8 of the zigzag, band 2 those from 9 to 24, band 3 the rest. A packed
/// picture that is cut after a band is the picture without the bands after it.
final class PackedLayout {
  static final int HEAD = 44;
  static final int VERSION = 1;

  /// Rebuilding gives the JPEG byte for byte that was packed.
  static final int EXACT = 1;

  /// The first DHT segment of the header, which is empty, stands for the standard's four tables.
  static final int STANDARD_TABLES = 2;

  static final int FLAGS = 5;
  static final int TILE_COLUMNS = 6;
  static final int TILE_ROWS = 8;
  static final int ZERO = 10;
  static final int SOURCE_BYTES = 12;
  static final int SOURCE_CRC = 16;
  static final int BAND_ENDS = 20;
  static final int HEADER_BYTES = 32;
  static final int TABLE_BYTES = 36;
  static final int TAIL_BYTES = 40;

  static final int BANDS = 3;

  /// Lanes that the symbols of a tile's band are dealt to, in turn.
  static final int LANES = 4;

  /// Numbers of the index for one tile of one band: the bytes of each lane and of the bits.
  static final int ENTRY = LANES + 1;

  /// Blocks that a tile may have.
  static final int MAX_BLOCKS = 4096;

  // What a symbol says, each with a code of its own, for luminance and 8 more for the rest.
  static final int DC = 0;
  static final int MASK_1 = 1;
  static final int CLASS_1 = 2;
  static final int WHICH = 3;
  static final int MASK_2 = 4;
  static final int CLASS_2 = 5;
  static final int MASK_3 = 6;
  static final int CLASS_3 = 7;
  static final int OF_KIND = 8;
  static final int SECTIONS = 2 * OF_KIND;

  /// First code of each band, and after the last: those of the second kind are 8 above.
  static final int[] FIRST_SECTION = {0, 3, 6, 8};

  /// Bits of a mask that belong to each band: bit i stands for coefficient i + 1 of the zigzag.
  static final long[] BAND_MASKS = {0xffL, 0xffff00L, 0xffff_ffff_ff00_0000L & Long.MAX_VALUE};

  /// Place in natural order of each coefficient of the zigzag.
  static final byte[] NATURAL = natural();

  static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private PackedLayout() {}

  private static byte[] natural() {
    byte[] places = new byte[64];
    int at = 0;
    for (int diagonal = 0; diagonal < 15; diagonal++) {
      for (int i = Math.max(0, diagonal - 7); i <= Math.min(7, diagonal); i++) {
        int row = diagonal % 2 == 0 ? diagonal - i : i;
        places[at++] = (byte) (8 * row + diagonal - row);
      }
    }
    return places;
  }
}
