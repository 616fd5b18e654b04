/// Laws of conversions.
@NullMarked
package io.headrace.convert;

import org.jspecify.annotations.NullMarked;
