@NullMarked
package io.headrace.codec.jpeg.coefficients;

import org.jspecify.annotations.NullMarked;
