@NullMarked
package io.headrace.codec.jpeg.tiles;

import org.jspecify.annotations.NullMarked;
