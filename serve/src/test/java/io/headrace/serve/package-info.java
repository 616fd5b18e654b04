@NullMarked
package io.headrace.serve;

import org.jspecify.annotations.NullMarked;
