@NullMarked
package io.headrace.codec.jpeg.packed;

import org.jspecify.annotations.NullMarked;
