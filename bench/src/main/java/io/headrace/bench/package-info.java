/// The numbers behind our claims; imported by nobody.
@NullMarked
package io.headrace.bench;

import org.jspecify.annotations.NullMarked;
