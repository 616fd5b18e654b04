/// Runs a pipeline over a dataset in epochs: read, decode, batch; error policy, progress, meters.
///
/// Hands out off-heap batches in a reproducible order; decides nothing about representation.
@NullMarked
package io.headrace.load;

import org.jspecify.annotations.NullMarked;
