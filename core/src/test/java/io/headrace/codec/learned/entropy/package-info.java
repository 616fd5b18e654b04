@NullMarked
package io.headrace.codec.learned.entropy;

import org.jspecify.annotations.NullMarked;
