/// Named tensors in files of the format safetensors: what trained networks are kept in.
///
/// Knows nothing of networks.
@NullMarked
package io.headrace.weights;

import org.jspecify.annotations.NullMarked;
