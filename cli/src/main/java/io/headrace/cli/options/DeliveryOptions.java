package io.headrace.cli.options;

import io.headrace.error.ConfigException;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.format.OpenOptions;
import io.headrace.format.field.FieldRequest;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.lab.tune.PlanFile;
import io.headrace.load.plan.Choice;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.ColdStore;
import io.headrace.store.Store;
import io.headrace.store.Stores;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Options of commands that deliver batches: the steps on each sample, the rank, and the kind of
/// store.
public final class DeliveryOptions {
  @Mixin private LoaderOptions loading = new LoaderOptions();

  @Option(
      names = "--pipeline",
      paramLabel = "STEPS",
      description = "Steps on each sample; train if not given, speech for sounds.")
  private @Nullable String pipeline;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description =
          "Take the pipeline from a plan that tune made, and readers, cache and memory where they"
              + " are not given.")
  private @Nullable Path plan;

  @Option(
      names = "--fields",
      paramLabel = "NAMES",
      description =
          "Fields that batches hold beside image and label, as inspect shows them:"
              + " key,caption,boxes; NAME[:TYPE][:SHAPE][:fill=VALUE][:max=SIZE] says more, such as"
              + " boxes:float32:*x4 or age:fill=-1.")
  private @Nullable String fields;

  @Option(
      names = "--rank",
      paramLabel = "R/W",
      description = "Load part R of W, counted from 0, such as 0/4.")
  private @Nullable String rank;

  @Option(
      names = "--subset",
      paramLabel = "SUBSET",
      description =
          "Samples that an epoch has: a random share such as 10%%, or a number such as 100 (also"
              + " random:10%%), the same for every seed; first:10%% or first:100 of each class by"
              + " name; numbers:FILE or keys:FILE, a line each. All if not given.")
  private @Nullable String subset;

  @Option(
      names = "--weights",
      paramLabel = "WEIGHTS",
      description =
          "Draw samples with replacement: balanced, so that all classes come alike, or a file with"
              + " a number for each sample, in stored order.")
  private @Nullable String weights;

  @Option(
      names = "--epoch-samples",
      paramLabel = "N",
      description = "Samples drawn for an epoch under --weights; as many as there are.")
  private @Nullable Long epochSamples;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description =
          "How files are read: page (through the page cache, the default), mmap, direct (past it),"
              + " or like a device: hdd, ssd, nvme, s3, 10gbe, or a rate such as 24MB/s.")
  private String store = "page";

  @Option(
      names = "--cold",
      description = "Keep the page cache out: drop the files' pages before and after reading.")
  private boolean cold;

  public LoadOptions.Builder builder() throws IOException {
    if (plan != null) {
      loading.obey(PlanFile.read(plan).loading());
    }
    LoadOptions.Builder builder =
        loading.builder().choice(Choice.parse(subset, weights, epochSamples));
    setRank(builder);
    if (fields != null) {
      builder.fields(FieldRequest.parse(fields));
    }
    return builder;
  }

  /// {@return whether a pipeline was asked for}
  public boolean hasSteps() {
    return plan != null || pipeline != null;
  }

  /// {@return the pipeline that was asked for, else the usual one for what the dataset holds}
  public Pipeline steps(Dataset dataset) throws IOException {
    if (plan == null) {
      return pipeline == null
          ? Pipeline.usual(Content.ofFirst(dataset), Manifest.stepsOf(dataset))
          : Pipeline.parse(pipeline);
    }
    if (pipeline != null) {
      throw new ConfigException("--plan says the pipeline: leave --pipeline out");
    }
    return Pipeline.parse(PlanFile.read(plan).pipeline());
  }

  /// {@return a trial of the same}
  ///
  /// @param opening how the dataset is opened
  /// @throws ConfigException if an option is given that a trial has no place for
  public Trial trial(Path dataset, OpenOptions opening) throws IOException {
    if (rank != null || subset != null || weights != null || epochSamples != null) {
      throw new ConfigException(
          "what is measured is all of an epoch: leave --rank, --subset, --weights and"
              + " --epoch-samples out");
    }
    if (fields != null) {
      throw new ConfigException("trials deliver images and labels alone: leave --fields out");
    }
    String steps;
    try (Dataset opened = Datasets.open(dataset, opening)) {
      steps = steps(opened).spec();
    }
    if (plan != null) {
      loading.obey(PlanFile.read(plan).loading());
    }
    Trial trial = loading.trial(dataset).with(Key.PIPELINE, steps).with(Key.STORE, store);
    return cold ? trial.with(Key.LEVEL, "cold") : trial;
  }

  /// {@return how a plan says that the dataset is opened}
  public OpenOptions planned() throws IOException {
    return plan == null ? OpenOptions.DEFAULT : PlanFile.read(plan).opening();
  }

  public Store openStore() throws IOException {
    Store opened = Stores.parse(store);
    return loading.cached(cold ? new ColdStore(opened) : opened);
  }

  /// {@return how files are read, in words, and how a cold run is kept cold}
  public String storeText() {
    return cold
        ? store
            + ", cold: a file's pages dropped when it is opened and after each read"
            + " (posix_fadvise DONTNEED)"
        : store;
  }

  private void setRank(LoadOptions.Builder builder) {
    String text = rank;
    if (text == null) {
      return;
    }
    String[] parts = text.split("/", -1);
    try {
      if (parts.length == 2) {
        builder.rank(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        return;
      }
    } catch (NumberFormatException e) {
      throw new ConfigException("rank '" + text + "': expected R/W, such as 0/4");
    }
    throw new ConfigException("rank '" + text + "': expected R/W, such as 0/4");
  }
}
