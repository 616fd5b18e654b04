/// Keeps samples in memory between epochs, in a fixed number of off-heap bytes, and predicts how
/// often they will be found.
///
/// Knows samples by number and values as bytes; reads no files and decides no order.
@NullMarked
package io.headrace.load.cache;

import org.jspecify.annotations.NullMarked;
