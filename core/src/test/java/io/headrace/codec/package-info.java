@NullMarked
package io.headrace.codec;

import org.jspecify.annotations.NullMarked;
