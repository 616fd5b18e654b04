/// Whole numbers under given distributions to strings and back: CompressAI's entropy coder.
///
/// Knows nothing of networks.
@NullMarked
package io.headrace.codec.learned.entropy;

import org.jspecify.annotations.NullMarked;
