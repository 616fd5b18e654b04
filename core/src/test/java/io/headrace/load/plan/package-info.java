@NullMarked
package io.headrace.load.plan;

import org.jspecify.annotations.NullMarked;
