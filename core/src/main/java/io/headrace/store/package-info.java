/// Bytes at positions: local files (through the page cache, past it, mapped), devices imitated for
/// experiments; read into off-heap memory.
///
/// Knows nothing of formats.
@NullMarked
package io.headrace.store;

import org.jspecify.annotations.NullMarked;
