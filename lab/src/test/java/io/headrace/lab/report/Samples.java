package io.headrace.lab.report;

import io.headrace.lab.report.ReportData.EpochRow;
import io.headrace.lab.report.ReportData.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Made-up reports, shaped like real ones. None of the numbers was measured.
final class Samples {
  private static final long COUNT = 100_000;

  private Samples() {}

  static ReportData photos() {
    return new ReportData(
        "Photos, 100,000 images: tfrecord, jpeg 75 delivers 2.6 times the samples",
        "photos/train",
        COUNT,
        "Convert to tfrecord, jpeg 75. It delivers 2,335 samples/s instead of 900, takes 0.53 times "
            + "the storage and keeps a mean SSIM of 0.982. Raw pixels would deliver 4,040, but need "
            + "14.3 GiB where 4 GiB are allowed.",
        ordered("Storage", "4 GiB", "Quality", "mean SSIM of at least 0.95", "Memory", "2 GiB"),
        ordered(
            "CPU", "2 × AMD EPYC 7B13, 16 threads used",
            "Storage", "ext4 on NVMe, throttled to 600 MiB/s",
            "JDK", "25.0.1+8",
            "Kernel", "Linux 6.1",
            "libjpeg-turbo", "2.1.5",
            "Command", "headrace tune photos/train --storage 4GiB --quality 0.95 --consumer 2500"),
        List.of(
            row("folder of jpeg files", 41, 1, 880, 900, .31, 1.45, .22, "decode", Mark.ORIGINAL),
            row("tfrecord", 41, 1, 1020, 1003, .05, 1.44, .21, "decode", Mark.NONE),
            row("tfrecord zlib", 40.6, 1, 905, 921, .38, 1.44, .21, "decode", Mark.NONE),
            row("tfrecord gzip", 40.7, 1, 900, 884, .41, 1.45, .22, "decode", Mark.NONE),
            row("tfrecord zstd", 40.5, 1, 990, 1012, .09, 1.44, .21, "decode", Mark.NONE),
            row("tfrecord, jpeg 85", 30.2, .991, 1800, 1742, .04, .78, .20, "decode", Mark.NONE),
            row("tfrecord, jpeg 75", 21.9, .982, 2410, 2335, .03, .62, .19, "decode", Mark.PICKED),
            row("tfrecord, jpeg 50", 14.6, .9419, 2700, 2588, .02, .52, .19, "decode", Mark.OVER),
            row("tfrecord, png", 98, 1, 720, 655, .12, 2.2, .2, "decode", Mark.OVER),
            row("tfrecord, raw 224", 147, .9604, 4300, 4040, .16, 0, .18, "storage", Mark.OVER),
            row("tfrecord zstd, raw 224", 112, .9604, 3300, 3121, .35, 0, .18, "read", Mark.OVER),
            row("tfrecord, raw 448", 588, .9995, 1020, 0, .64, 0, .31, "storage", Mark.OVER)),
        List.of(
            new EpochRow("original, epoch 1", 871, .652, "decode"),
            new EpochRow("original, epoch 2", 906, .638, "decode"),
            new EpochRow("converted, epoch 1", 2280, .088, "decode"),
            new EpochRow("converted, epoch 2", 2335, .066, "decode")),
        2500);
  }

  /// One candidate, of which nothing is known.
  static ReportData unmeasured() {
    var nan = Double.NaN;
    var row =
        new Row(
            "folder",
            0,
            nan,
            nan,
            Double.POSITIVE_INFINITY,
            nan,
            nan,
            0,
            0,
            "",
            true,
            "",
            true,
            false);
    return new ReportData(
        "Nothing measured",
        "photos",
        0,
        "",
        Map.of(),
        Map.of(),
        List.of(row),
        List.of(new EpochRow("original, epoch 1", nan, nan, "")),
        nan);
  }

  static ReportData many(int candidates) {
    var rows = new ArrayList<Row>();
    for (int i = 0; i < candidates; i++) {
      double kib = 8 * Math.pow(1.1, i * 7 % candidates);
      double rate = 500 + 4000.0 * ((i * 13) % candidates) / candidates;
      Mark mark =
          i == 0 ? Mark.ORIGINAL : i == 5 ? Mark.PICKED : i % 3 == 1 ? Mark.OVER : Mark.NONE;
      String name = "tfrecord zstd level %d, jpeg %d".formatted(i % 9 + 1, 95 - i);
      rows.add(
          row(name, kib, 1 - i * .003, rate * 1.07, rate, .05, 900 / rate, .2, "decode", mark));
    }
    var photos = photos();
    return new ReportData(
        "Many candidates", "photos", COUNT, "…", Map.of(), photos.machine(), rows, List.of(), 0);
  }

  /// The same word everywhere a user's word can come in.
  static ReportData saying(String word) {
    var row = new Row(word, 1, 1, 1, 1, 1, 1, 1, 1, word, true, word, true, true);
    var epoch = new EpochRow(word, 1, 1, word);
    Map<String, String> facts = Map.of(word, word, "Command", word);
    return new ReportData(word, word, 1, word, facts, facts, List.of(row), List.of(epoch), 1);
  }

  private enum Mark {
    NONE,
    ORIGINAL,
    PICKED,
    OVER
  }

  private static Row row(
      String name,
      double kib,
      double quality,
      double predicted,
      double measured,
      double read,
      double decode,
      double transform,
      String bottleneck,
      Mark mark) {
    return new Row(
        name,
        kib * 1024,
        kib * 1024 * COUNT,
        quality,
        predicted,
        measured,
        read,
        decode,
        transform,
        bottleneck,
        mark != Mark.OVER,
        mark == Mark.OVER ? quality < .95 ? "mean SSIM below 0.95" : "storage above 4 GiB" : "",
        mark == Mark.ORIGINAL,
        mark == Mark.PICKED);
  }

  private static Map<String, String> ordered(String... pairs) {
    var map = new LinkedHashMap<String, String>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
