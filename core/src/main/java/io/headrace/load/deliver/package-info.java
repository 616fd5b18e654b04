/// Batches under construction and the threads that fill them; what came of each sample.
@NullMarked
package io.headrace.load.deliver;

import org.jspecify.annotations.NullMarked;
