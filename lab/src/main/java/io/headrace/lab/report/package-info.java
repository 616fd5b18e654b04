/// Shows results: one self-contained HTML file with plots.
///
/// Measures and decides nothing.
@NullMarked
package io.headrace.lab.report;

import org.jspecify.annotations.NullMarked;
