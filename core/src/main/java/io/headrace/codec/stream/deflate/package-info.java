/// Deflate, in zlib and gzip wrappings: our own inflate, and libz for compressing.
@NullMarked
package io.headrace.codec.stream.deflate;

import org.jspecify.annotations.NullMarked;
