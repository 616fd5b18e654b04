package io.headrace.spark;

import java.util.Map;
import org.apache.spark.sql.connector.read.InputPartition;

/// A part of a dataset that one task reads.
///
/// @param set names this reading of the dataset
/// @param options that the dataset is opened with
/// @param shard to be read from its start, or -1 for a range of samples
/// @param from the first sample
/// @param to the one after the last
/// @param skip whether damaged samples are passed over
/// @param fidelity groups to read of each sample
record SamplePart(
    String set,
    Map<String, String> options,
    int shard,
    long from,
    long to,
    boolean skip,
    int fidelity)
    implements InputPartition {}
