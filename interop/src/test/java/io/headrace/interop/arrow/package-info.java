/// Tests of Arrow files.
@NullMarked
package io.headrace.interop.arrow;

import org.jspecify.annotations.NullMarked;
