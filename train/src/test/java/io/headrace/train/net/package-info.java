@NullMarked
package io.headrace.train.net;

import org.jspecify.annotations.NullMarked;
