/// Pixels and planes of encoded images, whole or the part that a pass reads.
///
/// Knows nothing of steps.
@NullMarked
package io.headrace.pipeline.pixels;

import org.jspecify.annotations.NullMarked;
