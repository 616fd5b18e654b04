package io.headrace.lab.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// A row of Table IV of "The Art of Losing to Win": a codec at low, medium and high quality, and
/// what the paper measured of it.
///
/// @param name the paper's
/// @param encodings ours, at each quality; none if there cannot be any
/// @param factor bytes of the originals over those of the encoded photos; none if the codec is not
///     in the paper
/// @param encode seconds to encode five classes of ImageNet
/// @param decode seconds to decode them
record TableFour(
    String name,
    List<String> encodings,
    List<Double> factor,
    List<Double> encode,
    List<Double> decode) {
  /// Seconds after which the paper stopped.
  static final double LIMIT = 7200;

  /// All of them, and ours; another one joins by a line. CompressAI's models are not shipped, but
  /// found where users put them. What lossyless gives is no image.
  static final List<TableFour> ROWS =
      """
      JPEG; jpeg 10 50 85; 14 5 2; 4 5 4; 5 4 4
      WebP; webp 10 50 85; 16 7 3; 6 5 7; 3 4 5
      AVIF; avif 10 50 85; ; ;
      ours; learned:small 1 2 3; ; ;
      bmshj2018-factorized; learned:bmshj2018-factorized 1 4 8; 99 35 9; 54 64 122; 1392 1727 1597
      bmshj2018-hyperprior; learned:bmshj2018-hyperprior 1 4 8; 101 37 10; 93 99 127; 1753 1907 2130
      mbt2018-mean; learned:mbt2018-mean 1 4 8; 100 36 10; 95 100 127; 1843 1871 2229
      mbt2018; learned:mbt2018 1 4 8; 132 42 11; 3522 3540 3775; 7200 7200 7200
      cheng2020-anchor; learned:cheng2020-anchor 1 3 6; 123 63 23; 3516 3481 3516; 7200 7200 7200
      cheng2020-attn; learned:cheng2020-attn 1 3 6; 131 66 24; 3494 3656 3564; 7200 7200 7200
      lossyless; ; 559 434 259; 38 42 41; 24 27 27
      """
          .lines()
          .map(TableFour::parse)
          .toList();

  static final TableFour JPEG = ROWS.get(0);
  static final TableFour WEBP = ROWS.get(1);

  private static TableFour parse(String line) {
    String[] cells = line.split(";", -1);
    String[] words = cells[1].strip().split(" ", -1);
    return new TableFour(
        cells[0],
        Arrays.stream(words).skip(1).map(quality -> words[0] + ":" + quality).toList(),
        numbers(cells[2]),
        numbers(cells[3]),
        numbers(cells[4]));
  }

  private static List<Double> numbers(String cell) {
    return Stream.of(cell.strip().split(" ", -1))
        .filter(word -> !word.isEmpty())
        .map(Double::valueOf)
        .toList();
  }

  /// {@return whether a network codes}
  boolean learned() {
    return encodings.stream().anyMatch(encoding -> encoding.startsWith("learned:"));
  }

  boolean inPaper() {
    return !factor.isEmpty();
  }

  /// {@return whether the paper stopped before it was decoded}
  boolean stopped() {
    return decode.contains(LIMIT);
  }
}
