/// Laws of the loader.
@NullMarked
package io.headrace.load;

import org.jspecify.annotations.NullMarked;
