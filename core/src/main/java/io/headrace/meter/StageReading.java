package io.headrace.meter;

/// What a stage did so far.
///
/// @param stage which
/// @param seconds time that passed in it, added over all threads
/// @param cpuSeconds of these, those in which the thread ran; the others it waited, for a device or
///     for a core. 0 for stages that are nothing but waiting
/// @param items samples (batches for [Stage#STALL])
/// @param bytes encoded bytes for [Stage#READ], bytes of decoded samples for the others
public record StageReading(
    Stage stage, double seconds, double cpuSeconds, long items, long bytes) {}
