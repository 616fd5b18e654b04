/// Tests of data frames and of conversions on executors.
@NullMarked
package io.headrace.spark;

import org.jspecify.annotations.NullMarked;
