@NullMarked
package io.headrace.load.fetch;

import org.jspecify.annotations.NullMarked;
