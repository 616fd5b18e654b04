package io.headrace.pipeline.colour;

import static io.headrace.memory.LittleEndian.F32;
import static io.headrace.memory.LittleEndian.U16;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import io.headrace.pipeline.resize.Values;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.SampleEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Fills a window of random place, area and aspect: `random_erasing` for one image in two. After
/// `normalize` or `center` it fills floats of the finished sample, before them pixels. Noise is
/// normal among floats, and uniform from 0 to 255 among pixels.
///
/// Aspect is log-uniform; 10 tries, then nothing is erased.
///
/// @param probability how often it is done
/// @param area share of the image that is erased
/// @param aspect height / width of the window
/// @param value of red, green and blue, in the units that the pixels have then; empty for noise
public record RandomErasing(double probability, Range area, Range aspect, List<Double> value)
    implements PixelStep {
  private static final int TRIES = 10;
  private static final double PROBABILITY = 0.5;
  private static final Range AREA = new Range(0.02, 0.33);
  private static final Range ASPECT = new Range(0.3, 3.3);
  private static final List<Double> ZERO = List.of(0.0);
  private static final int TOP = 0;
  private static final int LEFT = 1;
  private static final int HEIGHT = 2;
  private static final int WIDTH = 3;
  private static final int VALUE = 4;

  /// Names the noise; 0 for none.
  private static final int NOISE = 7;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "random_erasing",
          "random_erasing[=PROBABILITY][:area=LEAST-GREATEST][:aspect=LEAST-GREATEST][:value=NUMBER"
              + " or R/G/B or random]",
          Applies.COLOURS,
          "Fills a random window with a value, or with noise.",
          "whether; for each of at most 10 tries area and aspect, and if it fits row and column;"
              + " one more for noise",
          "torchvision's RandomErasing",
          List.of(
              "random_erasing",
              "random_erasing=0.25:area=0.02-0.2:aspect=0.5-2:value=1/2/3",
              "random_erasing=1:value=9"),
          RandomErasing::parse);

  /// Checks the numbers.
  public RandomErasing {
    StepText.requireProbability("random_erasing", probability);
    Range _ = area.within("random_erasing", "area", 0, 1);
    Range _ = aspect.within("random_erasing", "aspect", 1e-3, 1e3);
    value = List.copyOf(value);
  }

  private static RandomErasing parse(Spec spec) {
    return new RandomErasing(
        StepText.probability(spec, PROBABILITY),
        Range.option(spec, "area", AREA),
        Range.option(spec, "aspect", ASPECT),
        values(spec, spec.option("value")));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public boolean random() {
    return true;
  }

  @Override
  public Applies latest() {
    return Applies.LAYOUT;
  }

  private static List<Double> values(Spec spec, @Nullable String text) {
    if (text == null) {
      return ZERO;
    }
    if (text.equals("random")) {
      return List.of();
    }
    List<Double> values =
        Stream.of(text.split("/", -1)).map(part -> spec.decimal("value", part)).toList();
    if (values.size() != 1 && values.size() != 3) {
      throw spec.bad("expected value=NUMBER, value=R/G/B or value=random");
    }
    return values;
  }

  private String options(String first) {
    var text = new StringBuilder();
    if (!area.equals(AREA)) {
      text.append(":area=").append(area.text());
    }
    if (!aspect.equals(ASPECT)) {
      text.append(":aspect=").append(aspect.text());
    }
    if (value.isEmpty()) {
      text.append(":value=random");
    } else if (!value.equals(ZERO)) {
      text.append(":value=")
          .append(value.stream().map(StepText::number).collect(Collectors.joining("/")));
    }
    return text.isEmpty() ? "" : first + text.substring(1);
  }

  @Override
  public String spec() {
    return "random_erasing"
        + (probability == PROBABILITY ? "" : "=" + StepText.number(probability))
        + options(probability == PROBABILITY ? "=" : ":");
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (random.nextDouble() >= probability) {
      return;
    }
    int height = plan.height();
    int width = plan.width();
    double low = StrictMath.log(aspect.least());
    double high = StrictMath.log(aspect.greatest());
    for (int i = 0; i < TRIES; i++) {
      double share = area.least() + (area.greatest() - area.least()) * random.nextDouble();
      double size = (double) height * width * share;
      double ratio = StrictMath.exp(low + (high - low) * random.nextDouble());
      int h = (int) Math.rint(Math.sqrt(size * ratio));
      int w = (int) Math.rint(Math.sqrt(size / ratio));
      if (h < height && w < width) {
        int top = random.nextInt(height - h + 1);
        int left = random.nextInt(width - w + 1);
        Drawn drawn = plan.onValues() ? plan.finish(Finished.FILL) : plan.add(Pixels.FILL);
        set(drawn.set(TOP, top).set(LEFT, left).set(HEIGHT, h).set(WIDTH, w), random);
        return;
      }
    }
  }

  private void set(Drawn drawn, CounterRandom random) {
    if (value.isEmpty()) {
      Drawn _ = drawn.set(NOISE, random.nextInt(Integer.MAX_VALUE) + 1.0);
    } else {
      for (int c = 0; c < 3; c++) {
        Drawn _ = drawn.set(VALUE + c, value.get(value.size() == 1 ? 0 : c));
      }
    }
  }

  private static String words(String what, Drawn drawn) {
    return "%s %dx%d at row %d, column %d"
        .formatted(
            what,
            (int) drawn.number(HEIGHT),
            (int) drawn.number(WIDTH),
            (int) drawn.number(TOP),
            (int) drawn.number(LEFT));
  }

  private enum Pixels implements CanvasEffect {
    FILL;

    @Override
    public String words(Drawn drawn) {
      return RandomErasing.words("erase", drawn);
    }

    @Override
    public void apply(Drawn drawn, Canvas canvas) {
      int left = (int) drawn.number(LEFT);
      int top = (int) drawn.number(TOP);
      long seed = (long) drawn.number(NOISE) << 31;
      for (int c = 0; c < 3; c++) {
        byte v = (byte) (int) Math.clamp(drawn.number(VALUE + c), 0, 255);
        for (int y = top; y < top + (int) drawn.number(HEIGHT); y++) {
          int at = c * canvas.area() + y * canvas.width() + left;
          int end = at + (int) drawn.number(WIDTH);
          if (seed == 0) {
            Arrays.fill(canvas.pixels(), at, end, v);
          } else {
            for (int i = at; i < end; i++) {
              canvas.pixels()[i] = (byte) CounterRandom.mix(seed + i);
            }
          }
        }
      }
    }
  }

  private enum Finished implements SampleEffect {
    FILL;

    @Override
    public String words(Drawn drawn) {
      return RandomErasing.words("erase", drawn);
    }

    @Override
    public void apply(
        Drawn drawn, MemorySegment sample, DType dtype, Layout layout, int height, int width) {
      int left = (int) drawn.number(LEFT);
      int top = (int) drawn.number(TOP);
      int w = (int) drawn.number(WIDTH);
      long seed = (long) drawn.number(NOISE);
      long draw = 0;
      for (int c = 0; c < 3; c++) {
        float value = (float) drawn.number(VALUE + c);
        for (int y = top; y < top + (int) drawn.number(HEIGHT); y++) {
          for (int x = left; x < left + w; x++) {
            long pixel = (long) y * width + x;
            long at = layout == Layout.CHW ? (long) c * height * width + pixel : 3 * pixel + c;
            put(sample, at, dtype, seed == 0 ? value : noise(seed, draw++));
          }
        }
      }
    }

    private static float noise(long seed, long draw) {
      long one = CounterRandom.mix(CounterRandom.mix(seed) + 2 * draw);
      long two = CounterRandom.mix(CounterRandom.mix(seed) + 2 * draw + 1);
      double radius = Math.sqrt(-2 * StrictMath.log(1 - (one >>> 11) * 0x1.0p-53));
      return (float) (radius * StrictMath.cos(2 * Math.PI * ((two >>> 11) * 0x1.0p-53)));
    }

    private static void put(MemorySegment sample, long at, DType dtype, float value) {
      switch (dtype) {
        case UINT8 -> sample.set(JAVA_BYTE, at, (byte) (int) value);
        case FLOAT16 -> sample.set(U16, 2 * at, Float.floatToFloat16(value));
        case BFLOAT16 -> sample.set(U16, 2 * at, Values.bfloat16(value));
        case FLOAT32 -> sample.set(F32, 4 * at, value);
      }
    }
  }
}
