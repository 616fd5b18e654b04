/// Rewrites a dataset into another representation: atomic, resumable, verified.
///
/// Chooses nothing: the plan says what to write.
@NullMarked
package io.headrace.convert;

import org.jspecify.annotations.NullMarked;
