@NullMarked
package io.headrace.load.decode;

import org.jspecify.annotations.NullMarked;
