@NullMarked
package io.headrace.codec.images;

import org.jspecify.annotations.NullMarked;
