/// What options of several commands allow.
@NullMarked
package io.headrace.cli.options;

import org.jspecify.annotations.NullMarked;
