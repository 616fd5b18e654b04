/// Images coded by neural networks: CompressAI's architectures, its entropy coder and its strings.
///
/// Computes in float32 with every sum in one fixed order, so that all machines get the same pixels.
/// Trains nothing, and knows nothing of files but those of weights.
@NullMarked
package io.headrace.codec.learned;

import org.jspecify.annotations.NullMarked;
