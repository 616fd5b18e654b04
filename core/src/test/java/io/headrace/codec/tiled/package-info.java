@NullMarked
package io.headrace.codec.tiled;

import org.jspecify.annotations.NullMarked;
