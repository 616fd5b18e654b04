package io.headrace.codec.jpeg.coefficients;

/// A rewritten JPEG.
///
/// @param bytes of the whole stream
/// @param headerBytes bytes before the first scan's coded data, so its header is included
/// @param scans it has
/// @param segments of a baseline stream: offset of the first coded byte of each restart segment,
///     from the start of the stream, the first being `headerBytes`; a segment ends at the marker 2
///     bytes before the next, the last 2 bytes before the end. Empty for a progressive stream
/// @param dropped what it lacks of its source
@SuppressWarnings("ArrayRecordComponent") // the caller's own; a list would box each offset
public record Transcoded(
    long bytes, long headerBytes, int scans, long[] segments, Dropped dropped) {}
