package io.headrace.pipeline.policy;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.geometry.Warp;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Mixes the image with chains of changes of itself.
///
/// Shares are drawn from Dirichlet distributions. Source: Hendrycks and others, "AugMix: a simple
/// data processing method to improve robustness and uncertainty", 2019; `AugMix` of torchvision.
///
/// @param severity magnitudes are drawn below this, of 10
/// @param width how many chains are mixed
/// @param depth changes of a chain; 0 for 1 to 3, drawn
/// @param alpha of the distributions that the shares are drawn from
/// @param all whether also brightness, colour, contrast and sharpness change
/// @param look how turned images look
public record AugMix(int severity, int width, int depth, double alpha, boolean all, Warp.Look look)
    implements PixelStep {
  private static final int BINS = 10;
  private static final int SEVERITY = 3;
  private static final int WIDTH = 3;
  private static final int MAX_WIDTH = 100;

  private static final Change[] CHANGES = {
    Change.SHEAR_X,
    Change.SHEAR_Y,
    Change.TRANSLATE_X,
    Change.TRANSLATE_Y,
    Change.ROTATE,
    Change.POSTERIZE,
    Change.SOLARIZE,
    Change.AUTO_CONTRAST,
    Change.EQUALIZE,
    Change.BRIGHTNESS,
    Change.COLOR,
    Change.CONTRAST,
    Change.SHARPNESS
  };

  /// How many of them there are without those that need not be.
  private static final int FEW = 9;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "aug_mix",
          "aug_mix[=SEVERITY][:width=CHAINS][:depth=CHANGES][:alpha=A][:all=false][:interpolation=nearest][:fill=VALUE]",
          Applies.COLOURS,
          "Mixes the image with chains of random changes of itself.",
          "the share of the chains, the shares among them; for each chain its length, for each"
              + " change which one, its magnitude and sign",
          "torchvision's AugMix",
          List.of("aug_mix", "aug_mix=5:width=2:depth=2:alpha=0.5:all=false:interpolation=nearest"),
          AugMix::parse);

  /// Checks the numbers.
  public AugMix {
    if (severity < 1 || severity > BINS || width < 1 || width > MAX_WIDTH) {
      throw new ConfigException(
          "aug_mix: severity %d and %d chains, expected 1 to %d and 1 to %d"
              .formatted(severity, width, BINS, MAX_WIDTH));
    }
    if (depth < 0 || depth > 100 || !(alpha > 0 && alpha <= 1e6)) {
      throw new ConfigException(
          "aug_mix: depth %d and alpha %s, expected 0 to 100 and above 0".formatted(depth, alpha));
    }
  }

  private static AugMix parse(Spec spec) {
    return new AugMix(
        spec.number("severity", SEVERITY),
        spec.optionNumber("width", WIDTH),
        spec.optionNumber("depth", 0),
        spec.optionDecimal("alpha", 1),
        spec.flag("all", true),
        Warp.Look.parse(spec, Warp.Look.BILINEAR));
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
  public String spec() {
    String options =
        (severity == SEVERITY ? "" : ":" + severity)
            + (width == WIDTH ? "" : ":width=" + width)
            + (depth == 0 ? "" : ":depth=" + depth)
            + (alpha == 1 ? "" : ":alpha=" + StepText.number(alpha))
            + (all ? "" : ":all=false")
            + look.text(Warp.Look.BILINEAR);
    return "aug_mix" + (options.isEmpty() ? "" : "=" + options.substring(1));
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    Drawn mix = plan.add(Work.WORK);
    double changed = random.nextBeta(alpha);
    double sum = 0;
    for (int i = 0; i < width; i++) {
      double share = random.nextGamma(alpha);
      Drawn _ = mix.add(Work.WORK).set(0, share);
      sum += share;
    }
    Drawn _ = mix.set(0, 1 - changed);
    for (int i = 0; i < width; i++) {
      Drawn chain = mix.part(i);
      Drawn _ = chain.set(0, changed * (sum > 0 ? chain.number(0) / sum : 1.0 / width));
      int length = depth > 0 ? depth : 1 + random.nextInt(3);
      for (int j = 0; j < length; j++) {
        Change change = draw(random);
        int bin = change.sized() ? random.nextInt(severity) : 0;
        Choice.MIXED.add(chain, change, bin, BINS, plan.height(), plan.width(), look, random);
      }
    }
  }

  private Change draw(CounterRandom random) {
    return all ? CHANGES[random.nextInt(CHANGES.length)] : CHANGES[random.nextInt(FEW)];
  }

  private enum Work implements CanvasEffect {
    WORK;

    @Override
    public String words(Drawn drawn) {
      return "%d chains of changes, %.3g of the image".formatted(drawn.parts(), drawn.number(0));
    }

    @Override
    public void apply(Drawn drawn, Canvas canvas) {
      int n = 3 * canvas.area();
      byte[] image = canvas.keep();
      float[] sum = canvas.floats(3, n);
      float share = (float) drawn.number(0);
      for (int i = 0; i < n; i++) {
        sum[i] = share * (image[i] & 0xff);
      }
      for (int c = 0; c < drawn.parts(); c++) {
        Drawn chain = drawn.part(c);
        System.arraycopy(image, 0, canvas.pixels(), 0, n);
        for (int j = 0; j < chain.parts(); j++) {
          canvas.run(chain.part(j));
        }
        float weight = (float) chain.number(0);
        byte[] changed = canvas.pixels();
        for (int i = 0; i < n; i++) {
          sum[i] += weight * (changed[i] & 0xff);
        }
      }
      byte[] pixels = canvas.pixels();
      for (int i = 0; i < n; i++) {
        pixels[i] = (byte) (int) Math.min(255f, sum[i] + 1e-3f); // shares add up to almost 1
      }
    }
  }
}
