package io.headrace.codec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.codec.stream.Compression.Gzip;
import io.headrace.codec.stream.Compression.None;
import io.headrace.codec.stream.Compression.Strategy;
import io.headrace.codec.stream.Compression.Zlib;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.error.ConfigException;
import java.lang.foreign.MemorySegment;
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
          zlib:level=six | level 'six' is not a number
          zlib:level=6,level=7 | option 'level' is given twice
          zlib:level | 'level' is not option=value
          zstd:level=23 | level 23 is not in -131072 to 22
          zstd:strategy=10 | strategy 10 is not in 0 to 9
          zstd:windowlog=9 | windowlog 9 is not in 10 to 31
          zstd:workers=257 | workers 257 is not in 0 to 256
          zstd:checksum=maybe | checksum 'maybe' is neither true nor false
          none:level=1 | none has no option 'level'
          """)
  void whatCannotBeIsRefusedByName(String spec, String words) {
    assertThatThrownBy(() -> Compression.parse(spec))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }

  @Test
  void magicTellsTheKind() {
    assertThat(sniff(0x1f, 0x8b, 8)).isEqualTo(StreamKind.GZIP);
    assertThat(sniff(0x1f, 0x8b, 0)).isEqualTo(StreamKind.NONE);
    assertThat(sniff(0x78, 0x9c)).isEqualTo(StreamKind.ZLIB);
    assertThat(sniff(0x78, 0x9d)).isEqualTo(StreamKind.NONE);
    assertThat(sniff(0x28, 0xb5, 0x2f, 0xfd)).isEqualTo(StreamKind.ZSTD);
    assertThat(sniff(0x5f, 0x2a, 0x4d, 0x18)).isEqualTo(StreamKind.ZSTD);
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
