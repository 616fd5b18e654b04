/// Laws of tensor codecs.
@NullMarked
package io.headrace.codec.tensor;

import org.jspecify.annotations.NullMarked;
