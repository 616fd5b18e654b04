/// Laws of diagnosing.
@NullMarked
package io.headrace.lab.diagnose;

import org.jspecify.annotations.NullMarked;
