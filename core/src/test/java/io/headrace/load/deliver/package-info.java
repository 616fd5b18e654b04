@NullMarked
package io.headrace.load.deliver;

import org.jspecify.annotations.NullMarked;
