@NullMarked
package io.headrace.spec;

import org.jspecify.annotations.NullMarked;
