@NullMarked
package io.headrace.codec.avif;

import org.jspecify.annotations.NullMarked;
