/// What a conversion has on disk while it runs, to be taken up again after a kill: a work folder of
/// shards, and what is in each.
@NullMarked
package io.headrace.convert.checkpoint;

import org.jspecify.annotations.NullMarked;
