/// Tests of MDS shards.
@NullMarked
package io.headrace.interop.mds;

import org.jspecify.annotations.NullMarked;
