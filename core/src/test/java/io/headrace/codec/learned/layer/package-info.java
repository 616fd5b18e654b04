@NullMarked
package io.headrace.codec.learned.layer;

import org.jspecify.annotations.NullMarked;
