/// Decode workers: encoded samples in, filled slots of a batch out.
@NullMarked
package io.headrace.load.decode;

import org.jspecify.annotations.NullMarked;
