/// Reads and writes AVIF, through libavif.
///
/// The header is read in Java first, so that no limit depends on the library.
@NullMarked
package io.headrace.codec.avif;

import org.jspecify.annotations.NullMarked;
