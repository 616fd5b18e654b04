@NullMarked
package io.headrace.codec.lossless;

import org.jspecify.annotations.NullMarked;
