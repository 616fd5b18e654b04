package io.headrace.pipeline.step;

/// A step on all samples of a batch, after each of them is finished.
public interface BatchStep extends Step {}
