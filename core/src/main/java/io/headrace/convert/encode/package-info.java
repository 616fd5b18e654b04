/// Turns one sample into its target encoding.
///
/// Knows nothing of datasets, shards and threads.
@NullMarked
package io.headrace.convert.encode;

import org.jspecify.annotations.NullMarked;
