/// Compressed sound to samples and back, other sample rates, and spectrograms, off heap.
///
/// Knows nothing of files, threads or batches. C libraries stay behind package-private bindings.
@NullMarked
package io.headrace.sound;

import org.jspecify.annotations.NullMarked;
