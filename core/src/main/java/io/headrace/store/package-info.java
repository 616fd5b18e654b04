/// Bytes at positions: local files, read into off-heap memory.
///
/// Knows nothing of formats.
@NullMarked
package io.headrace.store;

import org.jspecify.annotations.NullMarked;
