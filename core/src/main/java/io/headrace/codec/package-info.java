/// Turns compressed samples into pixels and back, off heap.
///
/// Knows nothing of files, threads or batches. C libraries stay behind package-private bindings.
@NullMarked
package io.headrace.codec;

import org.jspecify.annotations.NullMarked;
