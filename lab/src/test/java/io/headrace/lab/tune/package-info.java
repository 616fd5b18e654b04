/// Laws of choosing.
@NullMarked
package io.headrace.lab.tune;

import org.jspecify.annotations.NullMarked;
