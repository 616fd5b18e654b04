package io.headrace.meter;

/// What a stage did so far.
///
/// @param stage which
/// @param seconds time that passed in it, added over all threads
/// @param cpuSeconds those in which the thread ran; in the others it waited for a device or a core.
///     0 for stages that only wait
/// @param items samples (batches for [Stage#STALL])
/// @param bytes encoded bytes for [Stage#READ], bytes of decoded samples for the others
public record StageReading(
    Stage stage, double seconds, double cpuSeconds, long items, long bytes) {}
