/// Tests of what fields are.
@NullMarked
package io.headrace.format.field;

import org.jspecify.annotations.NullMarked;
