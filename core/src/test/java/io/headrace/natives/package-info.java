@NullMarked
package io.headrace.natives;

import org.jspecify.annotations.NullMarked;
