package io.headrace.meter;

/// What a stage did so far.
///
/// @param stage which
/// @param seconds time spent in it, added over all threads
/// @param items samples (batches for [Stage#STALL])
/// @param bytes encoded bytes for [Stage#READ], bytes of decoded samples for the others
public record StageReading(Stage stage, double seconds, long items, long bytes) {}
