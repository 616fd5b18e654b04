@NullMarked
package io.headrace.codec.jpeg.planes;

import org.jspecify.annotations.NullMarked;
