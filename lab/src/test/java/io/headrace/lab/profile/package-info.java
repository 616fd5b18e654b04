/// Laws of profiling.
@NullMarked
package io.headrace.lab.profile;

import org.jspecify.annotations.NullMarked;
