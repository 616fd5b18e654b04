/// Laws of reading and writing tar shards, checked against archives that Python wrote.
@NullMarked
package io.headrace.format.tar;

import org.jspecify.annotations.NullMarked;
