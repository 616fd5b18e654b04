/// Laws of choosing.
@NullMarked
package io.headrace.lab.sweep;

import org.jspecify.annotations.NullMarked;
