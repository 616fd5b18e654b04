@NullMarked
package io.headrace.codec.plain;

import org.jspecify.annotations.NullMarked;
