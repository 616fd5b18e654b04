package io.headrace.convert;

import io.headrace.convert.QualityMeter.Likeness;
import io.headrace.format.SetDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What went into one shard, and the text that is kept of it beside the shard.
@SuppressWarnings("EnumOrdinal") // an index into an array that is written out by name
final class ShardTally {
  /// Infinite signal-to-noise ratios, of images that came out equal, count as this many dB.
  static final double MAX_PSNR = 100;

  private static final List<Counter> COUNTERS =
      List.of(
          new Counter("samples", t -> t.samples, (t, n) -> t.samples = n),
          new Counter("file_bytes", t -> t.fileBytes, (t, n) -> t.fileBytes = n),
          new Counter("file_crc32c", t -> t.fileCrc, (t, n) -> t.fileCrc = n),
          new Counter("encoded_bytes_in", t -> t.encodedBytesIn, (t, n) -> t.encodedBytesIn = n),
          new Counter("encoded_bytes_out", t -> t.encodedBytesOut, (t, n) -> t.encodedBytesOut = n),
          new Counter("unlabelled", t -> t.unlabelled, (t, n) -> t.unlabelled = n),
          new Counter("list_labels", t -> t.listLabels, (t, n) -> t.listLabels = n),
          new Counter(
              "fields_of_old_size", t -> t.fieldsOfOldSize, (t, n) -> t.fieldsOfOldSize = n),
          new Counter(
              "orientations_dropped",
              t -> t.orientationsDropped,
              (t, n) -> t.orientationsDropped = n),
          new Counter("alphas_dropped", t -> t.alphasDropped, (t, n) -> t.alphasDropped = n),
          new Counter("depths_reduced", t -> t.depthsReduced, (t, n) -> t.depthsReduced = n),
          new Counter("measured", t -> t.measured, (t, n) -> t.measured = n),
          new Counter("measuring_nanos", t -> t.measuringNanos, (t, n) -> t.measuringNanos = n),
          new Counter("packed", t -> t.packed, (t, n) -> t.packed = n),
          new Counter("packed_exact", t -> t.exact, (t, n) -> t.exact = n),
          new Counter("trailers_dropped", t -> t.trailersDropped, (t, n) -> t.trailersDropped = n),
          new Counter(
              "trailing_bytes_dropped",
              t -> t.trailingBytesDropped,
              (t, n) -> t.trailingBytesDropped = n));

  final SetDigest set = new SetDigest();
  final long[] outcomes = new long[Outcome.values().length];
  final List<Skipped> skipped = new ArrayList<>();
  final List<Skipped> passed = new ArrayList<>();
  long samples;
  long encodedBytesIn;
  long encodedBytesOut;
  long unlabelled;
  long listLabels;
  long fieldsOfOldSize;
  long orientationsDropped;
  long alphasDropped;
  long depthsReduced;
  long measured;
  double psnrSum;
  double ssimSum;
  double msSsimSum;
  long measuringNanos;
  long packed;
  long exact;
  long trailersDropped;
  long trailingBytesDropped;
  long fileBytes;
  long fileCrc;

  /// A sample left out, or one that was to be transcoded and stays as it is.
  ///
  /// @param where its place, as text
  /// @param reason what was wrong with it
  record Skipped(String where, String reason) {
    @Override
    public String toString() {
      return where + ": " + reason;
    }
  }

  /// A number of the tally.
  ///
  /// @param name in the text
  private record Counter(
      String name, ToLongFunction<ShardTally> value, ObjLongConsumer<ShardTally> set) {}

  void add(Likeness likeness) {
    measured++;
    psnrSum += Math.min(MAX_PSNR, likeness.psnr());
    ssimSum += likeness.ssim();
    msSsimSum += likeness.msSsim();
    measuringNanos += likeness.cpuNanos();
  }

  /// {@return what shards hold together; it has no checksum}
  static ShardTally sum(List<ShardTally> tallies) {
    var sum = new ShardTally();
    for (ShardTally tally : tallies) {
      for (Counter counter : COUNTERS) {
        long already = counter.value.applyAsLong(sum);
        counter.set.accept(sum, already + counter.value.applyAsLong(tally));
      }
      for (int i = 0; i < sum.outcomes.length; i++) {
        sum.outcomes[i] += tally.outcomes[i];
      }
      sum.psnrSum += tally.psnrSum;
      sum.ssimSum += tally.ssimSum;
      sum.msSsimSum += tally.msSsimSum;
      sum.skipped.addAll(tally.skipped);
      sum.passed.addAll(tally.passed);
      sum.set.addAll(tally.set);
    }
    sum.fileCrc = 0;
    return sum;
  }

  /// {@return the text that [#parse] takes}
  String toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    for (Counter counter : COUNTERS) {
      map.put(counter.name, counter.value.applyAsLong(this));
    }
    map.put("set_digest", set.hex());
    map.put("label_digest", set.labelHex());
    map.put("psnr_sum", psnrSum);
    map.put("ssim_sum", ssimSum);
    map.put("ms_ssim_sum", msSsimSum);
    Map<String, Object> counts = new LinkedHashMap<>();
    for (Outcome outcome : Outcome.values()) {
      counts.put(outcome.name(), outcomes[outcome.ordinal()]);
    }
    map.put("outcomes", counts);
    map.put("skipped", list(skipped));
    map.put("passed", list(passed));
    return JsonMapper.shared().writeValueAsString(map);
  }

  private static List<Map<String, String>> list(List<Skipped> samples) {
    return samples.stream().map(s -> Map.of("where", s.where, "reason", s.reason)).toList();
  }

  /// {@return the tally that [#toJson] wrote}
  static ShardTally parse(String json) {
    JsonNode node = JsonMapper.shared().readTree(json);
    var tally = new ShardTally();
    for (Counter counter : COUNTERS) {
      counter.set.accept(tally, node.path(counter.name).asLong());
    }
    tally.set.addAll(
        SetDigest.parse(node.path("set_digest").asString()),
        SetDigest.parse(node.path("label_digest").asString()),
        tally.samples);
    tally.psnrSum = node.path("psnr_sum").asDouble();
    tally.ssimSum = node.path("ssim_sum").asDouble();
    tally.msSsimSum = node.path("ms_ssim_sum").asDouble();
    for (Outcome outcome : Outcome.values()) {
      tally.outcomes[outcome.ordinal()] = node.path("outcomes").path(outcome.name()).asLong();
    }
    readList(node.path("skipped"), tally.skipped);
    readList(node.path("passed"), tally.passed);
    return tally;
  }

  private static void readList(JsonNode list, List<Skipped> into) {
    for (JsonNode sample : list) {
      into.add(new Skipped(sample.path("where").asString(), sample.path("reason").asString()));
    }
  }
}
