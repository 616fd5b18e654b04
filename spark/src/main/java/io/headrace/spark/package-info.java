/// Datasets as Spark's data frames, and conversions on Spark's executors.
///
/// Knows nothing of pixels: the rest of Headrace reads, encodes and writes.
@NullMarked
package io.headrace.spark;

import org.jspecify.annotations.NullMarked;
