/// Trains a network on batches of a loader, and measures what it learns and where the time goes.
///
/// Nothing that the command line sees of it mentions the deep-learning library.
@NullMarked
package io.headrace.train.fit;

import org.jspecify.annotations.NullMarked;
