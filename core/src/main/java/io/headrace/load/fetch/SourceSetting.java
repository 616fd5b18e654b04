package io.headrace.load.fetch;

import io.headrace.load.deliver.BatchRing;
import io.headrace.load.deliver.LoaderThreads;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.load.plan.LoadSetting;
import io.headrace.meter.Meters;
import java.lang.foreign.Arena;

/// What an epoch's source of samples works with.
///
/// @param load what the loader is made for
/// @param memory of the loader: its cache and orders
/// @param threads to read on
/// @param ring of batches to be filled
/// @param arena for samples, as long as the epoch
/// @param meters of the epoch
/// @param queued samples that may wait for decode workers
/// @param fidelity how far each sample is read
public record SourceSetting(
    LoadSetting load,
    SampleMemory memory,
    LoaderThreads threads,
    BatchRing ring,
    Arena arena,
    Meters meters,
    int queued,
    FidelityCounts fidelity) {}
