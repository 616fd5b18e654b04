/// Laws of what failures say.
@NullMarked
package io.headrace.error;

import org.jspecify.annotations.NullMarked;
