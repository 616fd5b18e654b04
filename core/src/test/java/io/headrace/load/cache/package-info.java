/// Laws of caches.
@NullMarked
package io.headrace.load.cache;

import org.jspecify.annotations.NullMarked;
