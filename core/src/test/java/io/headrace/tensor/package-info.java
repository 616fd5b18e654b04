/// Laws of tensor codecs.
@NullMarked
package io.headrace.tensor;

import org.jspecify.annotations.NullMarked;
