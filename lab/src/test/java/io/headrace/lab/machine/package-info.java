@NullMarked
package io.headrace.lab.machine;

import org.jspecify.annotations.NullMarked;
