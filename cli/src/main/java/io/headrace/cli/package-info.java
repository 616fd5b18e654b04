/// The `headrace` command: parses, calls, prints.
///
/// One class per verb, no logic.
@NullMarked
package io.headrace.cli;

import org.jspecify.annotations.NullMarked;
