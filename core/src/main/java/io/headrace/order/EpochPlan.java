package io.headrace.order;

/// What happens to an epoch's samples, known before it starts. Samples that turn out to be bad are
/// counted as if they were good.
///
/// @param samples left in the epoch, for all ranks together; -1 if only reading tells
/// @param batches that this rank will get; -1 if only reading tells
/// @param even whether all ranks get the same number of batches
/// @param dropped samples that no rank gets; -1 if only reading tells
/// @param padded slots of all ranks together that repeat samples, outside the mask; -1 if only
///     reading tells
public record EpochPlan(long samples, long batches, boolean even, long dropped, long padded) {}
