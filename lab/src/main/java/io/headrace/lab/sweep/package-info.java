/// Grids of trials, run in turn into a file of runs that everything else reads.
///
/// Draws no conclusions.
@NullMarked
package io.headrace.lab.sweep;

import org.jspecify.annotations.NullMarked;
