/// Reads and writes PNG, through libspng.
///
/// Decodes a window as well, down to its last row.
@NullMarked
package io.headrace.codec.png;

import org.jspecify.annotations.NullMarked;
