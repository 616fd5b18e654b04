package io.headrace.load.plan;

import io.headrace.format.Dataset;
import io.headrace.format.field.FieldPlan;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import java.util.List;

/// What a loader is made for, the same in all its epochs.
///
/// @param dataset to load
/// @param pipeline that each sample goes through
/// @param options asked for
/// @param fields that batches hold beside image, label and id
/// @param budget for all off-heap memory of the loader
public record LoadSetting(
    Dataset dataset,
    Pipeline pipeline,
    LoadOptions options,
    List<FieldPlan> fields,
    MemoryBudget budget) {
  /// Copies the list.
  public LoadSetting {
    fields = List.copyOf(fields);
  }
}
