/// Laws of stores.
@NullMarked
package io.headrace.store;

import org.jspecify.annotations.NullMarked;
