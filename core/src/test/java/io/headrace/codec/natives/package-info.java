@NullMarked
package io.headrace.codec.natives;

import org.jspecify.annotations.NullMarked;
