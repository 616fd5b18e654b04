/// Splits told from names, and files that change while they are read.
@NullMarked
package io.headrace.format.files;

import org.jspecify.annotations.NullMarked;
