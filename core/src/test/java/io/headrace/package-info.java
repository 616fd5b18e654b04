/// Laws of the house.
@NullMarked
package io.headrace;

import org.jspecify.annotations.NullMarked;
