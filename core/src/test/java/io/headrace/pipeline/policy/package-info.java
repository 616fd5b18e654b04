@NullMarked
package io.headrace.pipeline.policy;

import org.jspecify.annotations.NullMarked;
