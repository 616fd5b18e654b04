/// One way to feed a trainer, run and measured.
///
/// Compares and predicts nothing.
@NullMarked
package io.headrace.lab.trial;

import org.jspecify.annotations.NullMarked;
