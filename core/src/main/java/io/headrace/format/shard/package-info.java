/// Datasets of shards: what the kinds that pack samples into files have in common.
///
/// Finds a dataset's files, opens and closes them, counts and numbers their samples. What the files
/// hold is each format's business.
@NullMarked
package io.headrace.format.shard;

import org.jspecify.annotations.NullMarked;
