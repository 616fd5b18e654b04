@NullMarked
package io.headrace.codec.jpeg;

import org.jspecify.annotations.NullMarked;
