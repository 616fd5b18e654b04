package io.headrace.codec.jpeg.coefficients;

/// A rewritten JPEG.
///
/// @param bytes of the whole stream
/// @param scans it has
/// @param dropped what it lacks of its source
public record Transcoded(long bytes, int scans, Dropped dropped) {}
