/// Steps on all samples of a batch together.
@NullMarked
package io.headrace.pipeline.batch;

import org.jspecify.annotations.NullMarked;
