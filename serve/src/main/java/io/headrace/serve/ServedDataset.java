package io.headrace.serve;

import io.headrace.format.Dataset;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import java.nio.file.Path;

/// What a consumer gets.
///
/// @param dataset the caller's, to be closed when nothing is handed out any more
/// @param pipeline steps on each sample
/// @param options how it is loaded, and as which rank; one consumer is one rank
/// @param folder to make shared memory in, such as `/dev/shm`
public record ServedDataset(Dataset dataset, Pipeline pipeline, LoadOptions options, Path folder) {}
