/// Numeric tensors (spectrograms, activations, raw values) to compact blobs and back, off heap.
///
/// Knows nothing of images, files or batches.
@NullMarked
package io.headrace.tensor;

import org.jspecify.annotations.NullMarked;
