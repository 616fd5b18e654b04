/// Tests of memory that is lent and given back.
@NullMarked
package io.headrace.memory;

import org.jspecify.annotations.NullMarked;
