/// Predicts throughput from measured costs.
///
/// Pure arithmetic: measures nothing.
@NullMarked
package io.headrace.lab.model;

import org.jspecify.annotations.NullMarked;
