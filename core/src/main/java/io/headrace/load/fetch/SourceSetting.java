package io.headrace.load.fetch;

import io.headrace.load.deliver.BatchRing;
import io.headrace.load.deliver.LoaderThreads;
import io.headrace.load.plan.LoadSetting;
import java.lang.foreign.Arena;

/// What a source of samples works with.
///
/// @param load what the loader is made for
/// @param memory of the loader: its cache and orders
/// @param threads to read on
/// @param ring of batches to be filled
/// @param arena for samples, as long as the source
/// @param queued samples that may wait for decode workers
public record SourceSetting(
    LoadSetting load,
    SampleMemory memory,
    LoaderThreads threads,
    BatchRing ring,
    Arena arena,
    int queued) {}
