package io.headrace.lab.codecs;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.meter.Cpu;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Encodes and decodes the items of a subject with every setting, in one thread, and times it.
///
/// Settings take turns, round after round, so that a drift of the machine affects all alike. The
/// clock is the thread's CPU time; medians of the rounds count. A round lasts at least 20 ms. A
/// setting that has used up its time takes part in no more rounds. A single round is a quick look:
/// one pass, without warming up.
///
/// @param <E> kind of encodings
/// @param <I> kind of items
final class Trials<E, I extends Subject.Item> implements AutoCloseable {
  private static final double WARM_SECONDS = 0.25;
  private static final int WARM_PASSES = 40;
  private static final double ROUND_SECONDS = 0.02;
  private static final double ENOUGH_SECONDS = 2;

  private final Subject<E, I> subject;
  private final Arena arena;
  private final Block out = new Block(MemoryBudget.unbounded());
  private final List<Trial<E>> trials = new ArrayList<>();
  private final List<BenchResult.Refused> refused = new ArrayList<>();

  /// One setting's rounds.
  private static final class Trial<E> {
    final Setting<E> setting;
    final List<MemorySegment> items = new ArrayList<>();
    final Lap encode = new Lap();
    final Lap decode = new Lap();
    Quality quality = new Quality.Exact();

    Trial(Setting<E> setting) {
      this.setting = setting;
    }
  }

  /// Seconds a pass over all items took, by round.
  private static final class Lap {
    final List<Double> seconds = new ArrayList<>();
    double spent;
    int passes = 1;

    void add(double all) {
      spent += all;
      seconds.add(all / passes);
    }

    /// {@return the median; 0 if there was no round}
    double median() {
      return seconds.isEmpty() ? 0 : seconds.stream().sorted().toList().get(seconds.size() / 2);
    }
  }

  /// One pass over all items.
  private interface Pass {
    void run() throws DecodeException, IOException;
  }

  /// @param arena owns the encoded items
  Trials(Subject<E, I> subject, Arena arena) {
    this.subject = subject;
    this.arena = arena;
  }

  void run(List<Setting<E>> settings, int rounds, Consumer<String> progress)
      throws IOException, DecodeException {
    for (int i = 0; i < settings.size(); i++) {
      Setting<E> setting = settings.get(i);
      progress.accept("%d of %d: %s".formatted(i + 1, settings.size(), setting.name()));
      prepare(setting, rounds > 1);
    }
    for (int round = 1; round <= rounds; round++) {
      for (Trial<E> trial : trials) {
        progress.accept("round %d of %d: %s".formatted(round, rounds, trial.setting.name()));
        if (trial.setting.encoding() != null) {
          time(trial.encode, () -> encode(trial));
        }
        time(trial.decode, () -> decode(trial));
      }
    }
  }

  /// Encodes all items, keeps them, measures their quality, and warms up. A slow setting needs no
  /// warming up, and its time counts.
  private void prepare(Setting<E> setting, boolean warm) throws IOException, DecodeException {
    var trial = new Trial<>(setting);
    E encoding = setting.encoding();
    try {
      for (I item : subject.items) {
        trial.items.add(encoding == null ? item.stored() : kept(trial, item, encoding));
      }
    } catch (ConfigException | DecodeException e) {
      refused.add(new BenchResult.Refused(setting.name(), String.valueOf(e.getMessage())));
      return;
    }
    trial.quality = subject.compare(trial.items, setting);
    if (trial.encode.spent >= ENOUGH_SECONDS) {
      trial.encode.seconds.add(trial.encode.spent);
    } else {
      trial.encode.spent = 0;
      if (encoding != null && warm) {
        warm(trial.encode, () -> encode(trial));
      }
    }
    if (warm) {
      subject.ready(setting);
      warm(trial.decode, () -> decode(trial));
    }
    trials.add(trial);
  }

  private MemorySegment kept(Trial<E> trial, I item, E encoding)
      throws IOException, DecodeException {
    long start = Cpu.ofThisThread();
    long bytes = subject.encode(item, encoding, out);
    trial.encode.spent += (Cpu.ofThisThread() - start) / 1e9;
    return arena
        .allocate(Math.max(1, bytes), 64)
        .asSlice(0, bytes)
        .copyFrom(out.memory().asSlice(0, bytes));
  }

  private static void warm(Lap lap, Pass pass) throws IOException, DecodeException {
    double spent = 0;
    double last = 0;
    for (int i = 0; i < WARM_PASSES && spent < WARM_SECONDS; i++) {
      last = seconds(pass);
      spent += last;
    }
    lap.passes = (int) Math.clamp(Math.ceil(ROUND_SECONDS / Math.max(last, 1e-9)), 1, 1000);
  }

  private static void time(Lap lap, Pass pass) throws IOException, DecodeException {
    if (lap.spent >= ENOUGH_SECONDS) {
      return; // it has used up its time, perhaps in preparation
    }
    double all = 0;
    for (int i = 0; i < lap.passes; i++) {
      all += seconds(pass);
    }
    lap.add(all);
  }

  private static double seconds(Pass pass) throws IOException, DecodeException {
    long start = Cpu.ofThisThread();
    pass.run();
    return (Cpu.ofThisThread() - start) / 1e9;
  }

  private void encode(Trial<E> trial) throws IOException, DecodeException {
    E encoding = trial.setting.encoding();
    if (encoding != null) {
      for (I item : subject.items) {
        subject.encode(item, encoding, out);
      }
    }
  }

  private void decode(Trial<E> trial) throws IOException, DecodeException {
    for (int item = 0; item < trial.items.size(); item++) {
      subject.decode(subject.items.get(item), trial.items.get(item), trial.setting);
    }
  }

  BenchResult result(BenchKind kind, List<String> found) {
    List<String> notes = new ArrayList<>(found);
    trials.stream()
        .map(trial -> subject.note(trial.setting))
        .filter(note -> !note.isEmpty())
        .forEach(notes::add);
    return new BenchResult(
        kind,
        subject.items.size(),
        subject.content(),
        subject.base(),
        subject.baseBytes(),
        subject.plainBytes(),
        subject.seconds(),
        trials.stream().map(this::measured).toList(),
        List.copyOf(refused),
        List.copyOf(notes));
  }

  private Measured measured(Trial<E> trial) {
    long bytes = trial.items.stream().mapToLong(MemorySegment::byteSize).sum();
    double encode = trial.encode.median();
    double decode = trial.decode.median();
    return new Measured(
        trial.setting.name(),
        trial.setting.family(),
        (double) bytes / subject.items.size(),
        (double) bytes / subject.baseBytes(),
        encode == 0 ? 0 : subject.plainBytes() / 1e6 / encode,
        subject.plainBytes() / 1e6 / decode,
        1000 * decode / subject.items.size(),
        encode == 0 ? 0 : subject.seconds() / encode,
        subject.seconds() / decode,
        trial.quality);
  }

  @Override
  public void close() {
    out.close();
  }
}
