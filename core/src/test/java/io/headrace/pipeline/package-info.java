@NullMarked
package io.headrace.pipeline;

import org.jspecify.annotations.NullMarked;
