@NullMarked
package io.headrace.codec.webp;

import org.jspecify.annotations.NullMarked;
