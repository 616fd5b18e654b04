/// Steps on samples in memory: decode, crop, resize, flip, normalise, layout and type.
///
/// One fused pass per sample, straight into its slot of a batch. Knows nothing of files or threads.
@NullMarked
package io.headrace.pipeline;

import org.jspecify.annotations.NullMarked;
