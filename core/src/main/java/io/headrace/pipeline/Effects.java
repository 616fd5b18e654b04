package io.headrace.pipeline;

import io.headrace.error.DecodeException;
import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.resize.RowSink;
import io.headrace.pipeline.resize.RowWork;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.SampleEffect;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Runs the effects after a pass. Those on single pixels run on its rows as they are made, as far
/// as nothing before them needs the whole image. Confined to one thread, and reused.
final class Effects implements AutoCloseable {
  private final Plan plan;
  private final Canvas canvas;
  private final Rows rows = new Rows();
  private int begin;
  private int end;

  Effects(Plan plan, MemoryBudget budget) {
    this.plan = plan;
    canvas = new Canvas(budget);
  }

  /// Effects on single pixels, one after another.
  private final class Rows implements RowWork {
    private int from;
    private int to;

    /// {@return this, or null if there are none from `start` on}
    @Nullable RowWork from(int start) {
      from = start;
      to = start;
      while (to < end && effect(to) instanceof RowEffect effect) {
        effect.prepare(plan.effect(to));
        to++;
      }
      return to > from ? this : null;
    }

    @Override
    public void row(int[] rgb, int width) {
      for (int i = from; i < to; i++) {
        Drawn drawn = plan.effect(i);
        ((RowEffect) drawn.effect()).row(drawn, rgb, width);
      }
    }
  }

  private Effect effect(int i) {
    return plan.effect(i).effect();
  }

  /// Turns to the effects after pass `i`.
  ///
  /// @return whether there are any
  boolean begin(int i) {
    begin = plan.begin(i);
    end = plan.end(i);
    return begin < end;
  }

  /// {@return all effects, if they can be done to the rows of the pass; else null}
  @Nullable RowWork all() {
    RowWork work = rows.from(begin);
    return rows.to == end ? work : null;
  }

  /// {@return those effects that can be done to the rows of the pass, which are then left out here;
  ///     null if there are none}
  @Nullable RowWork first() {
    RowWork work = rows.from(begin);
    begin = rows.to;
    return work;
  }

  /// {@return where the pass writes its planes of bytes}
  MemorySegment canvas(int height, int width) throws DecodeException {
    canvas.begin(height, width);
    return canvas.memory();
  }

  /// Runs the effects that are left, and writes the image.
  void finish(MemorySegment target, RowSink sink) {
    int i = begin;
    while (i < end) {
      if (effect(i) instanceof CanvasEffect effect) {
        effect.apply(plan.effect(i), canvas);
        i++;
        continue;
      }
      RowWork work = rows.from(i);
      i = rows.to;
      if (i == end || work == null) {
        canvas.write(target, sink, work);
        return;
      }
      canvas.rows(work);
    }
    canvas.write(target, sink, null);
  }

  /// Runs the effects on the finished sample.
  ///
  /// @param dtype of its elements
  /// @param layout of its axes
  void finished(MemorySegment sample, DType dtype, Layout layout) {
    Drawn finishing = plan.finishing();
    for (int i = 0; i < finishing.parts(); i++) {
      Drawn drawn = finishing.part(i);
      if (drawn.effect() instanceof SampleEffect effect) {
        effect.apply(drawn, sample, dtype, layout, plan.last().height, plan.last().width);
      }
    }
  }

  @Override
  public void close() {
    canvas.close();
  }
}
