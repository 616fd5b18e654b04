/// Compares where a pipeline is cut into steps done once, ahead, and steps done in every epoch.
///
/// Measures by sweeps, and picks nothing.
@NullMarked
package io.headrace.lab.profile;

import org.jspecify.annotations.NullMarked;
