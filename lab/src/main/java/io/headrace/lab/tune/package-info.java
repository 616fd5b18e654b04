/// Searches representations, measures each on a sample, and picks one within limits.
///
/// Converts nothing for keeps: the plan it writes does that elsewhere.
@NullMarked
package io.headrace.lab.tune;

import org.jspecify.annotations.NullMarked;
