/// Tests of image datasets in Parquet.
@NullMarked
package io.headrace.interop.parquet;

import org.jspecify.annotations.NullMarked;
