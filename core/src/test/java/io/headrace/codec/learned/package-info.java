@NullMarked
package io.headrace.codec.learned;

import org.jspecify.annotations.NullMarked;
