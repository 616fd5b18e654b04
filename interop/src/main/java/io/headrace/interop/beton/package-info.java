/// FFCV's `.beton` files, version 2: read, and written without the padding that FFCV's own have.
///
/// Source: `ffcv/types.py`, `writer.py`, `memory_allocator.py` and `fields` of FFCV 1.0.2. Leaves
/// out version 1, which names no fields, and fields of a user's own types.
@NullMarked
package io.headrace.interop.beton;

import org.jspecify.annotations.NullMarked;
