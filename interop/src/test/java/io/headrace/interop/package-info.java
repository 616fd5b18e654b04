/// What the tests of all formats share.
@NullMarked
package io.headrace.interop;

import org.jspecify.annotations.NullMarked;
