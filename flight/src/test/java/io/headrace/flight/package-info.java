@NullMarked
package io.headrace.flight;

import org.jspecify.annotations.NullMarked;
