@NullMarked
package io.headrace.codec.png;

import org.jspecify.annotations.NullMarked;
