@NullMarked
package io.headrace.codec.jpeg.turbo;

import org.jspecify.annotations.NullMarked;
