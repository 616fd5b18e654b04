package io.headrace.pipeline.sound;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.step.StepKind;
import io.headrace.random.CounterRandom;
import io.headrace.sound.Golden;
import io.headrace.spec.Spec;
import io.headrace.testkit.Allocations;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The laws of steps on sound, and what each does.
final class SoundStepsTest {
  private static final int RATE = 16_000;

  private final MemoryBudget budget = MemoryBudget.unbounded();
  private final Sound sound = new Sound(budget);

  @AfterEach
  void close() {
    sound.close();
  }

  static SoundEffect step(String text) {
    Spec spec = Spec.step("step", text);
    for (StepKind kind : SoundSteps.ALL) {
      if (kind.name().equals(spec.name())) {
        return (SoundEffect) kind.parse(spec);
      }
    }
    throw new AssertionError("no step " + text);
  }

  static Stream<String> examples() {
    return SoundSteps.ALL.stream().flatMap(kind -> kind.examples().stream());
  }

  private void put(float[] samples, int channels) throws DecodeException {
    MemorySegment memory = sound.begin(RATE, channels, samples.length / channels);
    MemorySegment.copy(samples, 0, memory, JAVA_FLOAT, 0, samples.length);
  }

  private float[] run(long sampleId, String... steps) throws DecodeException {
    var random = new CounterRandom();
    random.reset(7, 3, sampleId);
    for (String text : steps) {
      try (SoundEffect.Work work = step(text).work()) {
        work.run(sound, random);
      }
    }
    return sound.values().toArray(JAVA_FLOAT);
  }

  /// {@return the steps that an example needs before it}
  private static List<String> before(String example) {
    SoundEffect step = step(example);
    List<String> steps = new ArrayList<>(List.of("mono"));
    if (step instanceof Mask) {
      steps.add("log_mel=whisper");
    }
    return steps;
  }

  @Test
  void everyKindIsNamedOnce() {
    assertThat(SoundSteps.ALL.stream().map(StepKind::name)).doesNotHaveDuplicates();
    for (StepKind kind : SoundSteps.ALL) {
      assertThat(kind.examples()).as(kind.name()).isNotEmpty();
      assertThat(kind.form()).startsWith(kind.name());
      assertThat(kind.help()).as(kind.name()).endsWith(".").doesNotContain("\n");
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void textComesBack(String example) {
    SoundEffect step = step(example);
    assertThat(step.spec()).isEqualTo(example);
    assertThat(step(step.spec())).isEqualTo(step);
    assertThat(step.kind().name()).isEqualTo(example.replaceFirst("=.*", ""));
  }

  /// The shape that a step foretells is the one that it makes, and it draws the same for the same
  /// place, other numbers for another.
  @ParameterizedTest
  @MethodSource("examples")
  void keepsItsWord(String example) throws DecodeException {
    List<String> steps = new ArrayList<>(before(example));
    steps.add(example);
    SoundShape shape = new SoundShape(RATE, 2, 60_000, 0, false);
    for (String text : steps) {
      shape = step(text).after(shape);
    }
    float[] noise = Golden.sound(120_000);
    put(noise, 2);
    float[] first = run(5, steps.toArray(String[]::new));
    assertThat(List.of(sound.frames(), (long) sound.height(), (long) sound.channels()))
        .isEqualTo(List.of(shape.frames(), (long) shape.height(), (long) shape.channels()));
    assertThat(
            Objects.requireNonNull(shape.shape()).stream()
                .mapToInt(i -> i)
                .reduce(1, (a, b) -> a * b))
        .isEqualTo(first.length);
    put(noise, 2);
    assertThat(run(5, steps.toArray(String[]::new))).isEqualTo(first);
    put(noise, 2);
    boolean same = Arrays.equals(run(6, steps.toArray(String[]::new)), first);
    assertThat(same).isEqualTo(!step(example).random());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void makesNoGarbage(String example) throws DecodeException {
    float[] noise = Golden.sound(120_000);
    List<SoundEffect.Work> works = new ArrayList<>();
    before(example).forEach(text -> works.add(step(text).work()));
    works.add(step(example).work());
    var random = new CounterRandom();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 12; round++) {
      put(noise, 2);
      random.reset(1, 2, round);
      long start = Allocations.ofThisThread();
      for (int i = 0; i < works.size(); i++) {
        works.get(i).run(sound, random);
      }
      least = Math.min(least, Allocations.ofThisThread() - start);
    }
    works.forEach(SoundStepsTest::close);
    assertThat(least).isLessThanOrEqualTo(2048); // views of memory, no arrays
  }

  private static void close(SoundEffect.Work work) {
    work.close();
  }

  @Test
  void lengthIsCutOrFilledWithSilence() throws DecodeException {
    float[] noise = Golden.sound(1000);
    put(noise, 1);
    assertThat(run(0, "pad_or_trim=0.05")).isEqualTo(Arrays.copyOf(noise, 800));
    put(noise, 1);
    assertThat(run(0, "pad_or_trim=0.1")).isEqualTo(Arrays.copyOf(noise, 1600));
    put(noise, 1);
    assertThat(run(0, "random_crop=0.1")).isEqualTo(Arrays.copyOf(noise, 1600));
    put(noise, 1);
    float[] cut = run(0, "random_crop=0.05");
    int at = 0;
    while (!Arrays.equals(cut, 0, 800, noise, at, at + 800)) {
      at++;
    }
    assertThat(at).isBetween(1, 200);
  }

  @Test
  void gainIsInDecibels() throws DecodeException {
    put(new float[] {0.5f, -1}, 1);
    assertThat(run(0, "gain=20")).containsExactly(5f, -10f);
  }

  /// As `torchaudio.functional.add_noise` measures it.
  @Test
  void noiseHasTheRatioThatWasAsked() throws DecodeException {
    float[] samples = Golden.sound(9001);
    put(samples, 1);
    float[] noisy = run(1, "noise=12");
    double energy = 0;
    double noise = 0;
    for (int i = 0; i < samples.length; i++) {
      energy += (double) samples[i] * samples[i];
      noise += Math.pow(noisy[i] - samples[i], 2);
    }
    assertThat(10 * Math.log10(energy / noise)).isBetween(11.99, 12.01);
    put(new float[100], 1);
    assertThat(run(1, "noise=12")).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({"time_mask, false", "time_mask, true", "freq_mask, false", "freq_mask, true"})
  void masksBlankNeighbours(String name, boolean turned) throws DecodeException {
    put(Golden.sound(16_000), 1);
    String mel = "log_mel=whisper" + (turned ? ":mels_first" : "");
    float[] before = run(1, mel);
    put(Golden.sound(16_000), 1);
    float[] after = run(1, mel, name + "=20:value=9");
    boolean columns = name.equals("time_mask");
    List<Integer> blank = new ArrayList<>();
    for (int i = 0; i < (columns ? 100 : 80); i++) {
      int changed = 0;
      for (int j = 0; j < (columns ? 80 : 100); j++) {
        int column = columns ? i : j;
        int band = columns ? j : i;
        int at = turned ? band * 100 + column : column * 80 + band;
        assertThat(after[at]).isIn(before[at], 9f);
        changed += after[at] == 9 ? 1 : 0;
      }
      assertThat(changed).isIn(0, columns ? 80 : 100);
      if (changed > 0) {
        blank.add(i);
      }
    }
    assertThat(blank.size()).isBetween(1, 20);
    assertThat(blank.getLast() - blank.getFirst()).isEqualTo(blank.size() - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "log_mel=whisper, put mono before",
    "time_mask=3, put spectrogram or log_mel before",
    "resample=0, expected 1 to",
    "pad_or_trim=0, more than 0",
    "pad_or_trim=x, not a number",
    "gain=6..-6, the least first",
    "noise=, not a number",
    "time_mask=0, at least 1",
    "resample=16000:good, expected best or medium or fast"
  })
  void whatMakesNoSenseIsRefused(String text, String message) {
    assertThatThrownBy(() -> step(text).after(SoundShape.ANY))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void samplesEndWhereTheSpectrogramBegins() {
    SoundShape spectrum = step("log_mel=whisper").after(new SoundShape(RATE, 1, RATE, 0, false));
    assertThatThrownBy(() -> step("gain=3").after(spectrum))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("before the spectrogram");
    assertThatThrownBy(
            () -> step("log_mel=whisper").after(new SoundShape(44_100, 1, RATE, 0, false)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("put resample=16000 before");
    assertThatThrownBy(() -> step("log_mel=whisper").after(new SoundShape(RATE, 1, 200, 0, false)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("needs 201");
  }
}
