package io.headrace.codec.jpeg;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Which quantisation tables a JPEG is encoded with.
public sealed interface QuantTables {
  /// Those of ITU-T T.81, annex K, scaled by the quality as the IJG does.
  record Standard() implements QuantTables {}

  /// Those that the data ask for. They are made of a few pictures before the first is encoded.
  record OfData() implements QuantTables {}

  /// Two tables of 64 steps each, 1 to 255, in natural (row) order.
  ///
  /// @param luminance of the first component
  /// @param chrominance of the others
  record Made(List<Integer> luminance, List<Integer> chrominance) implements QuantTables {
    /// Checks lengths and ranges.
    public Made {
      luminance = List.copyOf(luminance);
      chrominance = List.copyOf(chrominance);
      if (luminance.size() != JpegQuality.TABLE
          || chrominance.size() != JpegQuality.TABLE
          || Stream.of(luminance, chrominance)
              .flatMap(List::stream)
              .anyMatch(step -> step < 1 || step > 255)) {
        throw new IllegalArgumentException(
            "quantisation tables %s, %s: expected 64 steps of 1 to 255 in each"
                .formatted(luminance, chrominance));
      }
    }

    /// {@return the tables of annex K at a quality, 1 to 100}
    public static Made standard(int quality) {
      return new Made(JpegQuality.luminance(quality), JpegQuality.chrominance(quality));
    }

    /// {@return the steps of a table, in natural order}
    ///
    /// @param table 0 for luminance, 1 for chrominance
    public List<Integer> steps(int table) {
      return table == 0 ? luminance : chrominance;
    }

    /// {@return the steps of a table in the order of a DQT segment}
    public byte[] zigzag(int table) {
      byte[] zigzag = new byte[JpegQuality.TABLE];
      IntStream.range(0, zigzag.length)
          .forEach(k -> zigzag[k] = steps(table).get(JpegHeader.NATURAL[k]).byteValue());
      return zigzag;
    }
  }
}
