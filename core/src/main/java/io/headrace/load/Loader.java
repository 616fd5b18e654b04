package io.headrace.load;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Identity;
import io.headrace.format.Manifest;
import io.headrace.format.field.FieldPlan;
import io.headrace.format.field.FieldPlanner;
import io.headrace.load.decode.DecoderPool;
import io.headrace.load.deliver.BatchMixer;
import io.headrace.load.deliver.BatchRing;
import io.headrace.load.deliver.LoaderThreads;
import io.headrace.load.fetch.Pass;
import io.headrace.load.fetch.SampleMemory;
import io.headrace.load.plan.CacheReading;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.memory.BatchBuffer;
import io.headrace.memory.BatchLayout;
import io.headrace.memory.BatchMemory;
import io.headrace.memory.FieldSpec;
import io.headrace.memory.FieldType;
import io.headrace.memory.Layout;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.TensorSpec;
import io.headrace.order.EpochPlan;
import io.headrace.order.Stride;
import io.headrace.pipeline.PairedGeometry;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.geometry.Views;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Delivers a dataset in epochs of off-heap batches.
///
/// Readers prefetch encoded samples. A fixed pool of workers decodes each straight into its slot of
/// a batch. A bounded ring of batches gives backpressure when the consumer is slow. Order and
/// pixels depend only on the seed and the epoch's number, never on threads. One epoch is delivered
/// at a time. After it, threads wait for the next one, or continue with it at once if it is
/// announced ([#announce]). They end with the loader.
///
/// Several loaders, one a rank, share an epoch. In round n each rank takes its n-th batch, so n
/// rounds take n × ranks × batch samples from the front of the epoch's order, whichever rank gets
/// which: [Epoch#state] counts these, and the states of ranks in step are equal.
public final class Loader implements AutoCloseable {
  private final Dataset dataset;
  private final LoadOptions options;
  private final LoadSetting setting;
  private final BatchLayout layout;
  private final MemoryBudget budget;
  private final Arena arena = Arena.ofShared();
  private final BatchRing ring;
  private final SampleMemory memory;
  private final DecoderPool decoders;
  private final LoaderThreads threads = new LoaderThreads();
  private final long made = System.nanoTime();
  private final Object aheadLock = new Object();
  private volatile @Nullable FidelityMix chosen;

  /// What works on the epoch under way and the one ahead.
  private @Nullable EpochStream stream;

  /// The announced epoch, appended before it is asked for.
  private @Nullable Epoch ahead;

  private @Nullable Identity identity;
  private @Nullable Epoch current;
  private boolean closed;

  /// Prepares to load: takes the memory for batches and reserves the cache's. Reads nothing, except
  /// that up to 128 samples are looked at if they are to be kept decoded and differ in size, and
  /// 64 if fields are asked for. The caller closes the dataset, after the loader.
  ///
  /// @throws ConfigException if the pipeline's output has no fixed size, the cache does not fit
  ///     into the memory allowed or needs a dataset that can be read in any order, or not even two
  ///     batches fit into three quarters of what the cache leaves; or a field that is asked for
  ///     is not there
  /// @throws java.io.UncheckedIOException if there is a cache and the dataset's size cannot be read
  public Loader(Dataset dataset, Pipeline pipeline, LoadOptions options) {
    this(dataset, pipeline, options, BatchMemory.PRIVATE);
  }

  /// The same with batches in memory of the caller's choice.
  ///
  /// @param batches gives them their memory, within what the options allow
  /// @throws ConfigException also if it has not enough
  public Loader(Dataset dataset, Pipeline asked, LoadOptions options, BatchMemory batches) {
    this(dataset, asked, options, batches, null);
  }

  /// The same beside another loader of that dataset, pipeline and options, but for seed and rank:
  /// what one of them reads or decodes for its cache serves both, and the memory allowed is that of
  /// both.
  ///
  /// @param other is closed after this one; null if there is none
  /// @throws ConfigException also if the cache cannot be shared, since it has two regions
  public Loader(
      Dataset dataset,
      Pipeline asked,
      LoadOptions options,
      BatchMemory batches,
      @Nullable Loader other) {
    Pipeline pipeline = rest(dataset, asked, options);
    this.dataset = dataset;
    this.options = options;
    TensorSpec sample = pipeline.outputSpec();
    if (pipeline.input() == Pipeline.Input.SOUND && options.cache().decoded()) {
      throw new ConfigException(
          "a cache of decoded samples holds images: let it hold sounds as they are stored");
    }
    budget = other == null ? new MemoryBudget(options.memory()) : other.budget;
    List<FieldPlan> fields = planFields(dataset, pipeline, options, arena);
    layout = new BatchLayout(sample, specs(fields, pipeline), options.batchSize());
    setting = new LoadSetting(dataset, pipeline, options, fields, budget);
    long batchBytes = layout.bytes();
    long forBatches =
        (options.memory() - Math.min(options.memory(), options.cache().bytes())) / 4 * 3;
    memory = openMemory(other == null ? null : other.memory);
    decoders = new DecoderPool(memory, setting);
    int count = (int) Math.min(options.prefetch(), forBatches / batchBytes);
    if (count < 2 || !budget.tryReserve(count * batchBytes)) {
      memory.close();
      arena.close();
      throw new ConfigException(
          "two batches of %d samples %s take %d bytes%s, and memory for batches is %d: "
                  .formatted(
                      options.batchSize(),
                      sample,
                      2 * batchBytes,
                      fields.isEmpty() ? "" : " with their fields",
                      forBatches)
              + "allow more memory or ask for smaller batches"
              + (fields.isEmpty() ? "" : ", or less of fields with NAME:max=SIZE"));
    }
    try {
      ring =
          new BatchRing(
              batches.take(count, batchBytes, arena).stream()
                  .map(data -> new BatchBuffer(layout, data))
                  .toList());
    } catch (RuntimeException e) {
      budget.release(count * batchBytes);
      memory.close();
      arena.close();
      throw e;
    }
  }

  /// {@return the fields asked for, then those that steps make}
  private static List<FieldSpec> specs(List<FieldPlan> fields, Pipeline pipeline) {
    List<FieldSpec> specs = new ArrayList<>(fields.stream().map(FieldPlan::spec).toList());
    List<FieldSpec> made = new ArrayList<>(BatchMixer.fields(pipeline));
    TensorSpec sample = pipeline.outputSpec();
    for (int view = 1; view < pipeline.views(); view++) {
      FieldType dtype = FieldType.of(sample.dtype());
      made.add(FieldSpec.fixed(Views.field(view), dtype, sample.shape()));
    }
    for (FieldSpec spec : made) {
      if (specs.stream().anyMatch(other -> other.name().equals(spec.name()))) {
        throw new ConfigException(
            "field '%s' is made by a step of the pipeline: do not ask for one of the dataset"
                .formatted(spec.name()));
      }
      specs.add(spec);
    }
    return specs;
  }

  /// {@return the pipeline over what the dataset holds: of some steps may be done already}
  private static Pipeline rest(Dataset dataset, Pipeline asked, LoadOptions options) {
    try {
      Pipeline rest = asked.after(Manifest.stepsOf(dataset));
      if (options.cache().decoded() && !rest.ahead().givesPicture()) {
        throw new ConfigException(
            "a cache of decoded pictures cannot keep what the steps '%s', done ahead, gave: leave"
                    .formatted(rest.ahead().spec())
                + " out ':decoded'");
      }
      return rest;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<FieldPlan> planFields(
      Dataset dataset, Pipeline pipeline, LoadOptions options, Arena arena) {
    if (options.fields().isEmpty()) {
      requireBoxes(pipeline, List.of());
      return List.of();
    }
    TensorSpec image = pipeline.outputSpec();
    int rows = pipeline.layout() == Layout.HWC ? 0 : 1;
    boolean pictures = pipeline.input() == Pipeline.Input.IMAGE;
    var frame =
        new FieldPlanner.Frame(
            image,
            pictures ? image.shape().get(rows) : 0,
            pictures ? image.shape().get(rows + 1) : 0);
    try {
      List<FieldPlan> plans = FieldPlanner.plan(dataset, options.fields(), frame);
      requireBoxes(pipeline, plans);
      if (plans.stream().anyMatch(FieldPlan::moves)) {
        PairedGeometry.requireFollowed(pipeline);
        if (options.cache().decoded()) {
          throw new ConfigException(
              "cache %s with masks or boxes, which need the size of the image: keep encoded samples"
                  .formatted(options.cache().name()));
        }
      }
      return plans;
    } catch (IOException e) {
      arena.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  private static void requireBoxes(Pipeline pipeline, List<FieldPlan> plans) {
    long boxes = plans.stream().filter(plan -> plan.from().boxes()).count();
    if (pipeline.takesBoxes() && boxes != 1) {
      throw new ConfigException(
          "'%s' depends on the boxes of an image: ask for one field of boxes, NAME:boxes or "
                  .formatted(pipeline.spec())
              + "NAME:boxes-xywh; %d asked for".formatted(boxes));
    }
  }

  private SampleMemory openMemory(@Nullable SampleMemory other) {
    try {
      return new SampleMemory(setting, other);
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /// {@return type and shape of one sample as delivered}
  public TensorSpec sample() {
    return layout.sample();
  }

  /// {@return where tensors and fields lie in the memory of a batch}
  public BatchLayout layout() {
    return layout;
  }

  /// {@return batches in memory at one time}
  public int batchesInMemory() {
    return ring.size();
  }

  /// {@return off-heap bytes in use now; for any thread}
  public long memory() {
    return budget.reserved();
  }

  /// {@return the most off-heap bytes in use at one time so far}
  public long peakMemory() {
    return budget.peak();
  }

  /// {@return the plan of a whole epoch: how many batches there will be, and what is left over}
  public EpochPlan plan() {
    return plan(0);
  }

  /// {@return the plan of the rest of an epoch}
  ///
  /// @param done samples that all ranks together have had of it
  /// @throws ConfigException if the epoch is known to have fewer
  public EpochPlan plan(long done) {
    return memory.plan(done);
  }

  /// Chooses how much of each sample is read, from the next epoch on and instead of what the
  /// options say: an epoch under way keeps its fidelity, so that it stays reproducible.
  ///
  /// A cache of encoded samples serves every fidelity for which it holds enough; what is missing is
  /// read. A cache of decoded samples is emptied where the fidelity changes.
  ///
  /// @throws ConfigException if several fidelities are asked for with a cache of decoded samples
  public void fidelity(FidelityMix mix) {
    memory.checkFidelity(mix);
    chosen = mix;
  }

  /// Says which epoch will be asked for after the one under way. It is appended to the stream of
  /// positions that readers and workers go along: its first batches are made while the last ones of
  /// this one are, and its reading begins when this one's has ended. Threads then never wait for an
  /// epoch's end, which matters where epochs are short. Nothing else differs. If another epoch is
  /// asked for, what was begun is dropped.
  ///
  /// Has no effect on streams, on synthetic batches, with a two-region cache or one of decoded
  /// samples, and if an epoch is announced already.
  ///
  /// @param number of the epoch, from 0
  public void announce(long number) {
    announce(number, Stride.ALL);
  }

  /// The same of an epoch of which some batches will be asked for.
  public void announce(long number, Stride stride) {
    synchronized (aheadLock) {
      EpochStream running = stream;
      if (running != null && ahead == null && running.allowsAppending()) {
        FidelityMix mix = fidelityOf(number);
        ahead = new Epoch(this, running.append(number, stride, mix), mix, 0, stride);
      }
    }
  }

  /// Starts an epoch.
  ///
  /// @param number its number, from 0: with the seed it decides order and pixels
  /// @throws IllegalStateException if the epoch before is not closed
  public Epoch epoch(long number) {
    return epoch(number, 0);
  }

  /// Resumes an epoch. Under the two-region order the ranks and their number must be those that
  /// began it. Under any other order they may have changed: what is left is dealt out anew.
  ///
  /// @param number its number, from 0
  /// @param done samples that all ranks together have had of it
  /// @throws ConfigException if the epoch is known to have fewer
  /// @throws IllegalStateException if the epoch before is not closed
  public Epoch epoch(long number, long done) {
    return epoch(number, done, Stride.ALL);
  }

  /// The same of some batches of the rank's, those that other engines do not make. Each is what it
  /// would be among all; its number is [Batch#index].
  ///
  /// @param number the epoch's, from 0
  /// @param done samples that all ranks together have had of it
  /// @param stride batches of what is left of it to load
  /// @throws ConfigException as [#epoch(long, long)], and if not all batches are asked for under a
  ///     two-region order or of a dataset that is streamed
  /// @throws IllegalStateException if the epoch before is not closed
  public Epoch epoch(long number, long done, Stride stride) {
    if (closed || current != null) {
      throw new IllegalStateException(
          closed ? "loader is closed" : "close the epoch before starting another");
    }
    if (options.synthetic() && plan(done).batches() < 0) {
      throw new ConfigException(
          "synthetic batches for a dataset whose size only reading tells: expected a size");
    }
    FidelityMix mix = fidelityOf(number);
    synchronized (aheadLock) {
      Epoch begun = ahead;
      ahead = null;
      if (begun == null || done != 0 || !begun.is(number, mix, stride)) {
        stop();
        EpochStream started =
            new EpochStream(setting, memory, ring, decoders, threads, number, done, stride, mix);
        stream = started;
        begun = new Epoch(this, started.first(), mix, done, stride);
      }
      begun.arrive();
      current = begun;
      return begun;
    }
  }

  private void stop() {
    EpochStream running = stream;
    stream = null;
    if (running != null) {
      running.stop();
    }
  }

  /// Ends an epoch; threads go on if another is announced.
  void closed(Epoch epoch) {
    synchronized (aheadLock) {
      current = null;
      if (!ring.leave(epoch.section()) || ahead == null) {
        ahead = null;
        stop();
      }
    }
  }

  LoadSetting setting() {
    return setting;
  }

  BatchRing ring() {
    return ring;
  }

  /// {@return when it was made, in nanoseconds of the system's clock}
  long made() {
    return made;
  }

  /// {@return samples of an epoch in all ranks together; -1 if only reading tells}
  long epochSize() {
    return memory.epochSize();
  }

  CacheReading cacheReading(Pass pass) {
    return memory.reading(pass);
  }

  /// Resumes where a loader stood, perhaps one with another number of ranks, other batches or
  /// threads: what is left of the epoch is dealt out anew. Its fidelity holds for this epoch and
  /// those after it, as if chosen by [#fidelity(FidelityMix)], unless it is what the options say.
  ///
  /// @throws ConfigException if the state is of another seed, order, dataset or way to decode. The
  ///     two-region order also depends on ranks, batch, cache and readers, the order of streams on
  ///     lanes and window
  /// @throws IllegalStateException if the epoch before is not closed
  public Epoch epoch(LoaderState state) {
    return epoch(state, Stride.ALL);
  }

  /// The same of some batches of what is left.
  public Epoch epoch(LoaderState state, Stride stride) {
    check(state);
    FidelityMix mix = FidelityMix.parse(state.fidelity());
    if (!mix.equals(options.fidelity().at(state.epoch()))) {
      fidelity(mix);
    }
    return epoch(state.epoch(), state.done(), stride);
  }

  /// Checks that this loader can resume from a state.
  ///
  /// @throws ConfigException if it cannot, as [#epoch(LoaderState)] says
  public void check(LoaderState state) {
    check("seed", state.seed(), options.seed());
    check("order", state.order(), memory.orderText());
    String change = identity().since(state.data());
    if (!change.isEmpty()) {
      throw new ConfigException(
          "the state is not of %s as it is now, which has %s".formatted(dataset.root(), change));
    }
    if (!state.decoding().isEmpty()) {
      check("decoding", state.decoding(), options.decoding().label());
    }
  }

  /// {@return where loading stands at the start of an epoch}
  ///
  /// @param number of the epoch, from 0
  public LoaderState stateAt(long number) {
    return state(number, 0, null);
  }

  private static void check(String what, Object stated, Object own) {
    if (!stated.equals(own)) {
      throw new ConfigException(
          "the state's %s is '%s', this loader's is '%s': expected the same"
              .formatted(what, stated, own));
    }
  }

  private FidelityMix fidelityOf(long epoch) {
    FidelityMix mix = chosen;
    return mix == null ? options.fidelity().at(epoch) : mix;
  }

  /// @param mix of the epoch, or null for what the next one will have
  LoaderState state(long epoch, long done, @Nullable FidelityMix mix) {
    return new LoaderState(
        options.seed(),
        epoch,
        done,
        identity(),
        memory.orderText(),
        (mix == null ? fidelityOf(epoch) : mix).toString(),
        options.decoding().label());
  }

  private Identity identity() {
    Identity known = identity;
    if (known == null) {
      known = Identity.of(dataset);
      identity = known;
    }
    return known;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Epoch open = current;
      if (open != null) {
        open.close();
      }
      stop(); // which goes on where an epoch is announced
      threads.close();
      decoders.close();
      memory.close();
      budget.release(ring.size() * layout.bytes());
      arena.close();
    }
  }
}
