package io.headrace.convert.encode;

import io.headrace.convert.encode.QualityMeter.Likeness;
import org.jspecify.annotations.Nullable;

/// What was done to one sample.
///
/// @param outcome in a word
/// @param orientationDropped whether an EXIF orientation other than upright is gone
/// @param alphaDropped whether transparency is gone
/// @param depthReduced whether channels had more than 8 bits, and have 8 now
/// @param packed whether the result is a packed JPEG
/// @param exact whether the JPEG that was packed comes back byte for byte
/// @param trailingBytes after the image's end, which are gone
/// @param passed why the sample stays as it is although it was to be rewritten, or null
/// @param likeness to what it was encoded again from, or null if not measured
public record Made(
    Outcome outcome,
    boolean orientationDropped,
    boolean alphaDropped,
    boolean depthReduced,
    boolean packed,
    boolean exact,
    long trailingBytes,
    @Nullable String passed,
    @Nullable Likeness likeness) {}
