package io.headrace.pipeline.step;

/// A step on a sound. A pipeline that has one takes sounds, and no step on pixels.
public interface SoundStep extends Step {}
