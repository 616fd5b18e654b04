/// Says what the machine is and what it lacks for the engine to run.
///
/// Measures nothing but its disk.
@NullMarked
package io.headrace.lab.machine;

import org.jspecify.annotations.NullMarked;
