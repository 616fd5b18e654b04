package io.headrace.codec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression.Bzip2;
import io.headrace.codec.stream.Compression.Gzip;
import io.headrace.codec.stream.Compression.Lz4;
import io.headrace.codec.stream.Compression.None;
import io.headrace.codec.stream.Compression.Snappy;
import io.headrace.codec.stream.Compression.Strategy;
import io.headrace.codec.stream.Compression.Xz;
import io.headrace.codec.stream.Compression.Zlib;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.error.ConfigException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {
  @Test
  void everySpellingIsUnderstood() {
    assertThat(Compression.parse("none")).isEqualTo(new None());
    assertThat(Compression.parse("ZLIB:Level=6,strategy=RLE,window=15,mem=9"))
        .isEqualTo(new Zlib(6, 15, 9, Strategy.RLE));
    assertThat(Compression.parse("gzip")).isEqualTo(Gzip.DEFAULT);
    assertThat(Compression.parse(" Gzip: mem = 8 , strategy = 2 "))
        .isEqualTo(new Gzip(-1, 15, 8, Strategy.HUFFMAN_ONLY));
    assertThat(Compression.parse("lz4:level=9,blocksize=7,blockchecksum=yes,checksum=no"))
        .isEqualTo(new Lz4(9, 7, true, false));
    assertThat(Compression.parse("Snappy")).isEqualTo(new Snappy());
    assertThat(Compression.parse("xz:level=0")).isEqualTo(new Xz(0));
    assertThat(Compression.parse("bzip2:level=1")).isEqualTo(new Bzip2(1));
    assertThat(Compression.parse("zstd:level=-5,workers=2,strategy=2,windowlog=21,checksum=false"))
        .isEqualTo(new Zstd(-5, 2, 21, 2, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "none",
        "zlib",
        "zlib:level=0,strategy=filtered,window=9,mem=1",
        "gzip:strategy=huffman",
        "gzip:strategy=fixed",
        "zstd",
        "lz4",
        "lz4:level=12,blocksize=4,blockchecksum=true,checksum=false",
        "snappy",
        "xz",
        "xz:level=9",
        "bzip2",
        "bzip2:level=3",
        "lzma",
        "lzma:level=2",
        "lzop",
        "zstd:level=19,strategy=9,windowlog=27,workers=4,checksum=false"
      })
  void canonicalSpellingComesBack(String spec) {
    assertThat(Compression.parse(spec).spec()).isEqualTo(spec);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          GZ1P | unknown compression 'gz1p'
          "" | unknown compression ''
          zlib:level=10 | level 10 is not in -1 to 9
          zlib:window=8 | window 8 is not in 9 to 15
          gzip:mem=0 | mem 0 is not in 1 to 9
          gzip:strategy=lazy | strategy 'lazy'
          gzip:workers=2 | gzip has no option 'workers'
          zlib:level=six | level 'six' is not a whole number
          zlib:level=6,level=7 | option 'level' is given twice
          zlib:level | 'level' is not understood
          zstd:level=23 | level 23 is not in -131072 to 22
          zstd:strategy=10 | strategy 10 is not in 0 to 9
          zstd:windowlog=9 | windowlog 9 is not in 10 to 31
          zstd:workers=257 | workers 257 is not in 0 to 256
          zstd:checksum=maybe | checksum 'maybe' is neither true nor false
          lz4:level=13 | level 13 is not in 0 to 12
          lz4:blocksize=3 | blocksize 3 is not in 4 to 7
          lz4:workers=1 | lz4 has no option 'workers'
          snappy:level=1 | snappy has no option 'level'
          xz:level=10 | level 10 is not in 0 to 9
          bzip2:level=0 | level 0 is not in 1 to 9
          none:level=1 | none has no option 'level'
          """)
  void whatCannotBeIsRefusedByName(String spec, String words) {
    assertThatThrownBy(() -> Compression.parse(spec))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }

  /// zlib 6 and zstd 3 of strategy 0: what libz and libzstd take where nothing is said, what the
  /// bytes show, and what the neighbours of those levels would not give.
  @Test
  void defaultsAreLevelSixOfZlibAndThreeOfZstd() throws IOException {
    assertThat(Zlib.DEFAULT).isEqualTo(new Zlib(-1, 15, 9, Strategy.DEFAULT));
    assertThat(Gzip.DEFAULT).isEqualTo(new Gzip(-1, 15, 9, Strategy.DEFAULT));
    assertThat(Zstd.DEFAULT).isEqualTo(new Zstd(3, 0, 0, 0, true));
    assertThat(Strategy.DEFAULT.number()).isZero();
    for (String label : List.of("zlib", "gzip", "zstd")) {
      assertThat(Compression.parse(label).spec()).isEqualTo(label);
    }
    byte[] text = Bytes.mixed(5, 300_000);
    for (int level = 1; level <= 9; level++) {
      assertThat(Bytes.compress(text, Compression.parse("zlib:level=" + level)))
          .satisfies(sameOnly(level == 6, Bytes.compress(text, Zlib.DEFAULT)));
      assertThat(Bytes.compress(text, Compression.parse("gzip:level=" + level)))
          .satisfies(sameOnly(level == 6, Bytes.compress(text, Gzip.DEFAULT)));
      assertThat(Bytes.compress(text, Compression.parse("zstd:level=" + level)))
          .satisfies(sameOnly(level == 3, Bytes.compress(text, Zstd.DEFAULT)));
    }
  }

  private static Consumer<byte[]> sameOnly(boolean same, byte[] wanted) {
    return bytes -> assertThat(Arrays.equals(bytes, wanted)).isEqualTo(same);
  }

  @Test
  void magicTellsTheKind() {
    assertThat(sniff(0x1f, 0x8b, 8)).isEqualTo(StreamKind.GZIP);
    assertThat(sniff(0x1f, 0x8b, 0)).isEqualTo(StreamKind.NONE);
    assertThat(sniff(0x78, 0x9c)).isEqualTo(StreamKind.ZLIB);
    assertThat(sniff(0x78, 0x9d)).isEqualTo(StreamKind.NONE);
    assertThat(sniff(0x28, 0xb5, 0x2f, 0xfd)).isEqualTo(StreamKind.ZSTD);
    assertThat(sniff(0x5f, 0x2a, 0x4d, 0x18)).isEqualTo(StreamKind.ZSTD);
    assertThat(sniff(0x04, 0x22, 0x4d, 0x18)).isEqualTo(StreamKind.LZ4);
    assertThat(sniff(0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y')).isEqualTo(StreamKind.SNAPPY);
    assertThat(sniff(0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p')).isEqualTo(StreamKind.NONE);
    assertThat(sniff(0xfd, '7', 'z', 'X', 'Z', 0)).isEqualTo(StreamKind.XZ);
    assertThat(sniff('B', 'Z', 'h', '9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59))
        .isEqualTo(StreamKind.BZIP2);
    assertThat(sniff('B', 'Z', 'h', '1', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90))
        .isEqualTo(StreamKind.BZIP2);
    assertThat(sniff('B', 'Z', 'h', '0', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59))
        .isEqualTo(StreamKind.NONE);
    assertThat(sniff()).isEqualTo(StreamKind.NONE);
  }

  private static StreamKind sniff(int... bytes) {
    byte[] first = new byte[bytes.length];
    for (int i = 0; i < first.length; i++) {
      first[i] = (byte) bytes[i];
    }
    return StreamKind.sniff(MemorySegment.ofArray(first));
  }
}
