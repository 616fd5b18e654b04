@NullMarked
package io.headrace.codec.baseline;

import org.jspecify.annotations.NullMarked;
