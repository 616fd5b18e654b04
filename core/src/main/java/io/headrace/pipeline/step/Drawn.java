package io.headrace.pipeline.step;

import java.util.Arrays;

/// An effect with the numbers that were drawn for one image. A mutable holder, reused.
public final class Drawn implements EffectList {
  private Effect effect = Nothing.NOTHING;
  private final double[] numbers = new double[12];
  private int[] table = new int[0];
  private float[] spare = new float[0];
  private Drawn[] parts = new Drawn[0];
  private int count;

  /// Does nothing.
  private enum Nothing implements RowEffect {
    NOTHING;

    @Override
    public String words(Drawn drawn) {
      return "nothing";
    }

    @Override
    public void row(Drawn drawn, int[] rgb, int width) {}
  }

  /// An effect that does nothing yet.
  public Drawn() {}

  /// Becomes another effect, with all numbers 0 and no parts.
  public Drawn become(Effect other) {
    effect = other;
    Arrays.fill(numbers, 0);
    count = 0;
    return this;
  }

  /// {@return what is done}
  public Effect effect() {
    return effect;
  }

  /// Keeps a number.
  ///
  /// @param i from 0 to 11
  /// @return this
  public Drawn set(int i, double number) {
    numbers[i] = number;
    return this;
  }

  /// {@return a number that was kept, 0 if none was}
  public double number(int i) {
    return numbers[i];
  }

  /// {@return results by channel and value, `256 * channel + value`; the content is that of the
  ///     effect before}
  public int[] table() {
    if (table.length == 0) {
      table = new int[3 * 256];
    }
    return table;
  }

  /// {@return room for numbers, with any content}
  public float[] spare(int count) {
    if (spare.length < count) {
      spare = new float[count];
    }
    return spare;
  }

  @Override
  public Drawn add(Effect part) {
    if (count == parts.length) {
      parts = Arrays.copyOf(parts, count + 4);
      for (int i = count; i < parts.length; i++) {
        parts[i] = new Drawn();
      }
    }
    return parts[count++].become(part);
  }

  /// {@return a part}
  public Drawn part(int i) {
    return parts[i];
  }

  /// {@return how many parts there are}
  public int parts() {
    return count;
  }
}
