@NullMarked
package io.headrace.pipeline.sound;

import org.jspecify.annotations.NullMarked;
