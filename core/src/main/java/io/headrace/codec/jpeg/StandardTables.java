package io.headrace.codec.jpeg;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/// The Huffman tables of ITU-T T.81, K.3, as DHT segments hold them: sixteen counts, then the
/// symbols. Motion JPEG leaves them out of its pictures.
public final class StandardTables {
  /// By kind (DC, AC), then by slot (luminance, chrominance): tables K.3 to K.6.
  private static final MemorySegment[][] TABLES = {
    {
      parse("00010501010101010100000000000000000102030405060708090a0b"),
      parse("00030101010101010101010000000000000102030405060708090a0b")
    },
    {
      parse(
          """
          0002010303020403050504040000017d\
          01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a\
          25262728292a3435363738393a434445464748494a535455565758595a636465666768696a73747576777879\
          7a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9\
          cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa\
          """),
      parse(
          """
          00020102040403040705040400010277\
          000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f117\
          18191a262728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778\
          797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7\
          c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa\
          """)
    }
  };

  /// Sixteen counts, then the symbols, of a table that no decoder takes: three codes of one bit.
  private static final byte[] USELESS = HexFormat.of().parseHex("03" + "00".repeat(18));

  /// A stream without a picture, that makes any use of a Huffman table an error; off heap.
  public static final MemorySegment NONE = stream(0);

  /// The same, but for slots 0 and 1, which hold the standard's.
  public static final MemorySegment OF_MOTION_JPEG = stream(2);

  private StandardTables() {}

  /// @param slots of each kind that hold the standard's tables
  private static MemorySegment stream(int slots) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0xff, (byte) 0xd8});
    for (int kind = 0; kind < 2; kind++) {
      for (int slot = 0; slot < 4; slot++) {
        byte[] table = slot < slots ? table(kind, slot).toArray(JAVA_BYTE) : USELESS;
        out.writeBytes(new byte[] {(byte) 0xff, (byte) 0xc4, 0, (byte) (table.length + 3)});
        out.write(16 * kind + slot);
        out.writeBytes(table);
      }
    }
    out.writeBytes(new byte[] {(byte) 0xff, (byte) 0xd9});
    return Arena.global().allocateFrom(JAVA_BYTE, out.toByteArray());
  }

  private static MemorySegment parse(String hex) {
    return MemorySegment.ofArray(HexFormat.of().parseHex(hex)).asReadOnly();
  }

  /// {@return the table}
  ///
  /// @param kind 0 for DC, 1 for AC
  /// @param slot 0 for luminance, 1 for chrominance
  public static MemorySegment table(int kind, int slot) {
    return TABLES[kind][slot];
  }
}
