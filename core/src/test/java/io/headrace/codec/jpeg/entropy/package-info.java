@NullMarked
package io.headrace.codec.jpeg.entropy;

import org.jspecify.annotations.NullMarked;
