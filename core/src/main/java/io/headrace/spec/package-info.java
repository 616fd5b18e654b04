/// One grammar for all small spellings that users type: codecs, orders, caches, steps, sizes.
///
/// Knows nothing of what they mean.
@NullMarked
package io.headrace.spec;

import org.jspecify.annotations.NullMarked;
