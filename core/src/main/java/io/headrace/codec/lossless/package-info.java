/// A lossless encoding of photographs made to be decoded fast: tiles of filtered, split planes.
///
/// Knows nothing of other formats, of files or of threads. zstd codes what is worth coding.
@NullMarked
package io.headrace.codec.lossless;

import org.jspecify.annotations.NullMarked;
