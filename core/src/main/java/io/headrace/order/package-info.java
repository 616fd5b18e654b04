/// Decides which sample comes next: shuffle, shard, epoch, resume. Pure arithmetic.
///
/// Touches no file and no memory but its own few words.
@NullMarked
package io.headrace.order;

import org.jspecify.annotations.NullMarked;
