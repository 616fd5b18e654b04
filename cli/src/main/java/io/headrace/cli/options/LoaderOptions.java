package io.headrace.cli.options;

import io.headrace.error.ConfigException;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.BadLimit;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.FidelitySchedule;
import io.headrace.load.plan.LoadOptions;
import io.headrace.order.LastBatch;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import io.headrace.order.RanksTail;
import io.headrace.store.DiskCache;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Options of commands that load.
public final class LoaderOptions {
  private static final long USUAL_MEMORY = 2L << 30;
  private static final int USUAL_READERS = 2;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Samples in a batch (${DEFAULT-VALUE}).")
  private int batch = 64;

  @Option(names = "--threads", paramLabel = "N", description = "Decode workers; as many as cores.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = {"--readers", "--io-depth"},
      paramLabel = "N",
      description = "Reads at one time, each by a thread (2).")
  private @Nullable Integer readers;

  @Option(
      names = "--prefetch",
      paramLabel = "N",
      description = "Batches in memory at one time (${DEFAULT-VALUE}).")
  private int prefetch = 4;

  @Option(
      names = "--window",
      paramLabel = "N",
      description = "Samples among which compressed shards are shuffled (${DEFAULT-VALUE}).")
  private int window = 1024;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description =
          "full (the default), sequential, buffer[:FILL], interleave[:LANES[:FILL]],"
              + " block[:SAMPLES[:BLOCKS]], two-region[:stored|rotate|blocks[:SAMPLES]]; shuffled"
              + " and stored mean full and sequential.")
  private @Nullable String order;

  @Option(
      names = "--cache",
      paramLabel = "CACHE",
      description =
          "Samples kept in memory between epochs: none (the default), lru:SIZE[:decoded],"
              + " minio:SIZE[:decoded[=SHARE]], two-region:SIZE; counts against the memory budget."
              + " Decoded samples are exact, so that :decoded implies --exact. Or"
              + " disk:FOLDER:SIZE[:lru]: bytes that were read, kept in a local folder that"
              + " processes share.")
  private @Nullable String cache;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Seed of orders and random steps (${DEFAULT-VALUE}): 64 bits, with or without a sign.")
  private String seed = "0";

  @Option(
      names = "--on-error",
      paramLabel = "POLICY",
      description = "fail (the default), skip or substitute a sample that cannot be delivered.")
  private String onError = "fail";

  @Option(
      names = "--max-bad",
      paramLabel = "LIMIT",
      description =
          "Bad samples an epoch may have though they are skipped or substituted: none (the"
              + " default), a number, or a share such as 0.1%%.")
  private String maxBad = "none";

  @Option(
      names = "--ranks-tail",
      paramLabel = "TAIL",
      description =
          "Samples that ranks cannot share equally: pad (the default) repeats one, outside the"
              + " mask; drop; uneven lets ranks have different numbers of batches.")
  private String ranksTail = "pad";

  @Option(
      names = "--last-batch",
      paramLabel = "LAST",
      description =
          "A last batch that is not full: partial (the default), drop, or pad with repeated"
              + " samples, outside the mask.")
  private String lastBatch = "partial";

  @Option(
      names = "--mix",
      paramLabel = "MIX",
      description =
          "Encodings of a mixed dataset in batches: free (the default) or constant, in the same"
              + " numbers always.")
  private String mix = "free";

  @Option(
      names = "--fidelity",
      paramLabel = "F",
      description =
          "Groups to read of each sample: full (the default), a number, or several with"
              + " probabilities such as 1:0.5,full:0.5.")
  private @Nullable String fidelity;

  @Option(
      names = "--regimen",
      paramLabel = "FILE",
      description =
          "Fidelity epoch by epoch, such as [{\"epochs\":80,\"fidelity\":1},"
              + "{\"epochs\":10,\"fidelity\":\"full\"}].")
  private @Nullable Path regimen;

  @Option(
      names = "--memory-budget",
      paramLabel = "SIZE",
      description =
          "Bound on memory for batches, read-ahead and cache; 2GiB if not given, less where the"
              + " machine or the control group has less.")
  private @Nullable String memory;

  @Mixin private DecodingOptions precision = new DecodingOptions();

  @Option(
      names = "--apply-orientation",
      description = "Turn images upright, as their EXIF tag says; off by default.")
  private boolean applyOrientation;

  /// Takes what a plan says of readers, cache and memory, unless they were given.
  ///
  /// @param settings of a trial, by the words that users type
  void obey(Map<String, String> settings) {
    String planned = settings.get(Key.READERS.word());
    if (readers == null && planned != null) {
      readers = Integer.valueOf(planned);
    }
    if (cache == null) {
      cache = settings.get(Key.CACHE.word());
      memory = memory == null && cache != null ? settings.get(Key.MEMORY.word()) : memory;
    }
  }

  private int readers() {
    Integer given = readers;
    return given == null ? USUAL_READERS : given;
  }

  private String cache() {
    String given = cache;
    return given == null ? "none" : given;
  }

  LoadOptions.Builder builder() throws IOException {
    CacheSpec kept = DiskCache.isSpelled(cache()) ? new CacheSpec.None() : CacheSpec.parse(cache());
    return LoadOptions.builder()
        .batchSize(batch)
        .threads(threads)
        .readers(readers())
        .prefetch(prefetch)
        .window(window)
        .order(orderSpec(kept))
        .cache(kept)
        .seed(seedBits())
        .policy(ErrorPolicy.of(onError))
        .maxBad(BadLimit.parse(maxBad))
        .ranksTail(RanksTail.of(ranksTail))
        .lastBatch(LastBatch.of(lastBatch))
        .mix(Mix.of(mix))
        .regimen(regimen())
        .memory(MemoryAllowed.of("--memory-budget", memory, USUAL_MEMORY))
        .decoding(precision.decoding(kept.decoded()))
        .applyOrientation(applyOrientation);
  }

  /// {@return a store, with the cache on disk before it if one was asked for}
  Store cached(Store store) throws IOException {
    return DiskCache.isSpelled(cache()) ? DiskCache.parse(cache(), store) : store;
  }

  /// {@return a trial of the same}
  ///
  /// @throws ConfigException if an option is given that a trial has no place for
  public Trial trial(Path dataset) throws IOException {
    if (regimen != null || !ranksTail.equals("pad") || !lastBatch.equals("partial")) {
      throw new ConfigException(
          "what is measured is one fidelity, and all of an epoch: leave --regimen, --ranks-tail and"
              + " --last-batch out");
    }
    if (DiskCache.isSpelled(cache())) {
      throw new ConfigException("what is measured has no cache on disk: leave --cache disk out");
    }
    LoadOptions options = builder().build();
    return Trial.of(dataset)
        .with(Key.BATCH, batch)
        .with(Key.THREADS, threads)
        .with(Key.READERS, readers())
        .with(Key.PREFETCH, prefetch)
        .with(Key.WINDOW, window)
        .with(Key.CACHE, cache())
        .with(Key.ORDER, options.order().toString())
        .with(Key.SEED, options.seed())
        .with(Key.ON_ERROR, onError)
        .with(Key.MAX_BAD, maxBad)
        .with(Key.MIX, mix)
        .with(Key.FIDELITY, options.fidelity().at(0).toString())
        .with(Key.MEMORY, options.memory())
        .with(Key.DECODING, options.decoding().label())
        .with(Key.APPLY_ORIENTATION, String.valueOf(applyOrientation));
  }

  /// {@return the seed; numbers above those of a `long` are the same 64 bits}
  private long seedBits() {
    try {
      return seed.startsWith("-") ? Long.parseLong(seed) : Long.parseUnsignedLong(seed);
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "seed '%s': expected a whole number of 64 bits, with or without a sign".formatted(seed));
    }
  }

  private FidelitySchedule regimen() throws IOException {
    String text = fidelity;
    Path file = regimen;
    if (file == null) {
      return FidelitySchedule.of(text == null ? FidelityMix.FULL : FidelityMix.parse(text));
    }
    if (text != null) {
      throw new ConfigException("--regimen says the fidelity: leave --fidelity out");
    }
    return FidelitySchedule.parse(Files.readString(file));
  }

  private OrderSpec orderSpec(CacheSpec kept) {
    String text = order;
    if (text != null) {
      return OrderSpec.parse(text);
    }
    return kept instanceof CacheSpec.TwoRegion ? OrderSpec.parse("two-region") : OrderSpec.FULL;
  }
}
