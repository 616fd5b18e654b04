/// Laws of race shards.
@NullMarked
package io.headrace.format.race;

import org.jspecify.annotations.NullMarked;
