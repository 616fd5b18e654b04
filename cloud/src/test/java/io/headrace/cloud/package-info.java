/// Tests of buckets, against a small server with faults.
@NullMarked
package io.headrace.cloud;

import org.jspecify.annotations.NullMarked;
