@NullMarked
package io.headrace.codec.quality;

import org.jspecify.annotations.NullMarked;
