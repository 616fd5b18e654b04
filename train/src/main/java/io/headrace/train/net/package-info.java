/// The networks of the papers, written as torchvision names their weights.
///
/// Knows nothing of datasets, schedules or files other than weights.
@NullMarked
package io.headrace.train.net;

import org.jspecify.annotations.NullMarked;
