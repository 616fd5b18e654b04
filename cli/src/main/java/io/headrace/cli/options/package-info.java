/// Options that several commands have, and what is made of them.
@NullMarked
package io.headrace.cli.options;

import org.jspecify.annotations.NullMarked;
