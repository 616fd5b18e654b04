/// The command as a user meets it.
@NullMarked
package io.headrace.cli;

import org.jspecify.annotations.NullMarked;
