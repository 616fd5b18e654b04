@NullMarked
package io.headrace.sound;

import org.jspecify.annotations.NullMarked;
