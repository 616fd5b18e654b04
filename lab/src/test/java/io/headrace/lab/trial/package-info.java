/// Laws of choosing.
@NullMarked
package io.headrace.lab.trial;

import org.jspecify.annotations.NullMarked;
