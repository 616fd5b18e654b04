/// Looks at datasets as they are: verifies one, compares two, takes single samples out.
@NullMarked
package io.headrace.convert.inspect;

import org.jspecify.annotations.NullMarked;
