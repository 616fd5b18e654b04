package io.headrace.convert.checkpoint;

import io.headrace.convert.encode.Made;
import io.headrace.convert.encode.Outcome;
import io.headrace.convert.encode.QualityMeter.Likeness;
import io.headrace.format.Sample;
import io.headrace.format.SetDigest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What went into one shard, and the text that is kept of it beside the shard.
public final class ShardTally {
  /// Infinite signal-to-noise ratios, of images that came out equal, count as this many dB.
  private static final double MAX_PSNR = 100;

  private final Map<Counter, Long> counts = new EnumMap<>(Counter.class);
  private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
  private final SetDigest set = new SetDigest();
  private final List<Left> skipped = new ArrayList<>();
  private final List<Left> passed = new ArrayList<>();
  private double psnrSum;
  private double ssimSum;
  private double msSsimSum;

  /// The tally of an empty shard.
  public ShardTally() {}

  /// What is counted: its order and names are those of the text. What the names mean is said at
  /// [io.headrace.convert.ConvertReport].
  public enum Counter {
    SAMPLES,
    FILE_BYTES,
    FILE_CRC32C,
    ENCODED_BYTES_IN,
    ENCODED_BYTES_OUT,
    UNLABELLED,
    LIST_LABELS,
    FIELDS_OF_OLD_SIZE,
    ORIENTATIONS_DROPPED,
    ALPHAS_DROPPED,
    DEPTHS_REDUCED,
    MEASURED,
    MEASURING_NANOS,
    PACKED,
    PACKED_EXACT,
    TRAILERS_DROPPED,
    TRAILING_BYTES_DROPPED
  }

  /// A sample left out, or one that was to be transcoded and stays as it is.
  ///
  /// @param where its place, as text
  /// @param reason what was wrong with it
  private record Left(String where, String reason) {
    @Override
    public String toString() {
      return where + ": " + reason;
    }
  }

  /// Takes in a sample that is written.
  ///
  /// @param encodedBytes that it has now
  public void add(Sample sample, Made made, long encodedBytes) {
    Outcome outcome = made.outcome();
    add(Counter.SAMPLES, true);
    set.add(sample.id(), sample.label());
    add(Counter.ENCODED_BYTES_IN, sample.encodedBytes());
    add(Counter.ENCODED_BYTES_OUT, encodedBytes);
    outcomes.merge(outcome, 1L, Long::sum);
    add(Counter.UNLABELLED, sample.label() == Sample.NO_LABEL);
    add(Counter.LIST_LABELS, sample.labelField() >= 0);
    add(Counter.FIELDS_OF_OLD_SIZE, sample.fields() > 0 && outcome == Outcome.RESIZED);
    add(Counter.ORIENTATIONS_DROPPED, made.orientationDropped());
    add(Counter.ALPHAS_DROPPED, made.alphaDropped());
    add(Counter.DEPTHS_REDUCED, made.depthReduced());
    add(Counter.PACKED, made.packed());
    add(Counter.PACKED_EXACT, made.exact());
    add(Counter.TRAILERS_DROPPED, made.trailingBytes() > 0);
    add(Counter.TRAILING_BYTES_DROPPED, made.trailingBytes());
    if (made.likeness() != null) {
      add(made.likeness());
    }
    if (made.passed() != null) {
      passed.add(new Left(sample.location().toString(), made.passed()));
    }
  }

  private void add(Likeness likeness) {
    add(Counter.MEASURED, true);
    psnrSum += Math.min(MAX_PSNR, likeness.psnr());
    ssimSum += likeness.ssim();
    msSsimSum += likeness.msSsim();
    add(Counter.MEASURING_NANOS, likeness.cpuNanos());
  }

  /// Adds to a number of it.
  public void add(Counter counter, long more) {
    counts.merge(counter, more, Long::sum);
  }

  private void add(Counter counter, boolean one) {
    add(counter, one ? 1 : 0);
  }

  /// Takes in a sample that is left out.
  ///
  /// @param where its place, as text
  /// @param reason what was wrong with it
  public void skip(String where, String reason) {
    skipped.add(new Left(where, reason));
  }

  /// Says what the file is.
  public void file(long bytes, long crc) {
    counts.put(Counter.FILE_BYTES, bytes);
    counts.put(Counter.FILE_CRC32C, crc);
  }

  /// {@return a number of it}
  public long get(Counter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /// {@return how many samples became so}
  public long get(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }

  /// {@return samples written or left out}
  public long in() {
    return get(Counter.SAMPLES) + skipped.size();
  }

  /// {@return which samples are written}
  public SetDigest set() {
    return set;
  }

  /// {@return samples left out, as `place: reason`}
  public List<String> skipped() {
    return skipped.stream().map(Left::toString).toList();
  }

  /// {@return samples that were to be transcoded and stay as they are, as `place: reason`}
  public List<String> passed() {
    return passed.stream().map(Left::toString).toList();
  }

  /// {@return the mean likeness of what was measured, with the time for all; null if nothing was}
  public @Nullable Likeness likeness() {
    long n = get(Counter.MEASURED);
    return n == 0
        ? null
        : new Likeness(psnrSum / n, ssimSum / n, msSsimSum / n, get(Counter.MEASURING_NANOS));
  }

  /// {@return what shards hold together; it has no checksum}
  public static ShardTally sum(List<ShardTally> tallies) {
    var sum = new ShardTally();
    for (ShardTally tally : tallies) {
      tally.counts.forEach(sum::add);
      tally.outcomes.forEach((outcome, n) -> sum.outcomes.merge(outcome, n, Long::sum));
      sum.psnrSum += tally.psnrSum;
      sum.ssimSum += tally.ssimSum;
      sum.msSsimSum += tally.msSsimSum;
      sum.skipped.addAll(tally.skipped);
      sum.passed.addAll(tally.passed);
      sum.set.addAll(tally.set);
    }
    sum.counts.remove(Counter.FILE_CRC32C);
    return sum;
  }

  /// {@return the text that [#parse] takes}
  public String toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    for (Counter counter : Counter.values()) {
      map.put(name(counter), get(counter));
    }
    map.put("set_digest", set.hex());
    map.put("label_digest", set.labelHex());
    map.put("psnr_sum", psnrSum);
    map.put("ssim_sum", ssimSum);
    map.put("ms_ssim_sum", msSsimSum);
    Map<String, Object> reached = new LinkedHashMap<>();
    for (Outcome outcome : Outcome.values()) {
      reached.put(outcome.name(), get(outcome));
    }
    map.put("outcomes", reached);
    map.put("skipped", list(skipped));
    map.put("passed", list(passed));
    return JsonMapper.shared().writeValueAsString(map);
  }

  private static List<Map<String, String>> list(List<Left> samples) {
    return samples.stream().map(s -> Map.of("where", s.where, "reason", s.reason)).toList();
  }

  private static String name(Counter counter) {
    return counter.name().toLowerCase(Locale.ROOT);
  }

  /// {@return the tally that [#toJson] wrote}
  public static ShardTally parse(String json) {
    JsonNode node = JsonMapper.shared().readTree(json);
    var tally = new ShardTally();
    for (Counter counter : Counter.values()) {
      tally.counts.put(counter, node.path(name(counter)).asLong());
    }
    tally.set.addAll(
        SetDigest.parse(node.path("set_digest").asString()),
        SetDigest.parse(node.path("label_digest").asString()),
        tally.get(Counter.SAMPLES));
    tally.psnrSum = node.path("psnr_sum").asDouble();
    tally.ssimSum = node.path("ssim_sum").asDouble();
    tally.msSsimSum = node.path("ms_ssim_sum").asDouble();
    for (Outcome outcome : Outcome.values()) {
      tally.outcomes.put(outcome, node.path("outcomes").path(outcome.name()).asLong());
    }
    readList(node.path("skipped"), tally.skipped);
    readList(node.path("passed"), tally.passed);
    return tally;
  }

  private static void readList(JsonNode list, List<Left> into) {
    for (JsonNode sample : list) {
      into.add(new Left(sample.path("where").asString(), sample.path("reason").asString()));
    }
  }
}
