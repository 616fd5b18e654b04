/// Resizes, cuts out and mirrors pixels in one pass, and writes them as elements of a sample.
///
/// Knows nothing of steps.
@NullMarked
package io.headrace.pipeline.resize;

import org.jspecify.annotations.NullMarked;
