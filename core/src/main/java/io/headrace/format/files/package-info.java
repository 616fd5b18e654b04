/// Which files a path stands for, shards and splits; and files that stay as they were.
@NullMarked
package io.headrace.format.files;

import org.jspecify.annotations.NullMarked;
