package io.headrace.spark;

import java.io.Serializable;

/// A shard that a task has written.
///
/// @param shard its number
/// @param attempt that wrote it
/// @param tally of what is in it
record Written(int shard, String attempt, String tally) implements Serializable {}
