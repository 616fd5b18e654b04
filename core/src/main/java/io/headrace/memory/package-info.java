/// Off-heap slabs, pools, tensors, batches, shapes and types.
///
/// Knows nothing of what the bytes mean.
@NullMarked
package io.headrace.memory;

import org.jspecify.annotations.NullMarked;
