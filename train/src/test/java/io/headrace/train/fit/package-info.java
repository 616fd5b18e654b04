@NullMarked
package io.headrace.train.fit;

import org.jspecify.annotations.NullMarked;
