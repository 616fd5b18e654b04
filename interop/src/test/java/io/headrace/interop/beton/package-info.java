/// Tests of FFCV's files.
@NullMarked
package io.headrace.interop.beton;

import org.jspecify.annotations.NullMarked;
