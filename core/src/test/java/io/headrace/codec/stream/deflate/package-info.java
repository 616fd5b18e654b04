/// Our inflate, checked against zlib's own.
@NullMarked
package io.headrace.codec.stream.deflate;

import org.jspecify.annotations.NullMarked;
