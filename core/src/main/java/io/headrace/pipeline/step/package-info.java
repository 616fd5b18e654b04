/// What a step is, and the plan that steps make for one sample.
///
/// Knows no step: each is one class of a room above, and one line of `pipeline.Steps`.
@NullMarked
package io.headrace.pipeline.step;

import org.jspecify.annotations.NullMarked;
