/// Golden files, corrupters and seeds over plain bytes, for every module's tests.
///
/// Knows nothing of the engine.
@NullMarked
package io.headrace.testkit;

import org.jspecify.annotations.NullMarked;
