/// What every compressor and decompressor of a stream is: it takes bytes out of one buffer and puts
/// bytes into another.
@NullMarked
package io.headrace.codec.stream.coder;

import org.jspecify.annotations.NullMarked;
