/// The papers' experiments, each a sweep and its claims, and the verdicts computed from what was
/// measured.
///
/// Measures nothing itself that a trial can measure.
@NullMarked
package io.headrace.lab.experiment;

import org.jspecify.annotations.NullMarked;
