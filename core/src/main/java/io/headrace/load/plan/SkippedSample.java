package io.headrace.load.plan;

import io.headrace.error.Fault;
import io.headrace.error.Location;

/// A sample that was not delivered.
///
/// @param where its place
/// @param fault what kind of fault
/// @param reason what was found and expected
public record SkippedSample(Location where, Fault fault, String reason) {}
