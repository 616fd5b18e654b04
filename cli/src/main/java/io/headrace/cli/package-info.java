/// The `headrace` command: parses, calls, prints.
///
/// One class per verb, no logic. What several verbs share lies in `options`, `print` and `watch`.
@NullMarked
package io.headrace.cli;

import org.jspecify.annotations.NullMarked;
