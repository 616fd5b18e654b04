/// Watches a load or a conversion while it runs: on the terminal, as metrics, as a trace.
@NullMarked
package io.headrace.cli.watch;

import org.jspecify.annotations.NullMarked;
