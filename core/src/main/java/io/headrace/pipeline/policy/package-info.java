/// Steps that choose changes at random from a fixed set: the published policies.
///
/// The sets and magnitudes are those of torchvision's `transforms/v2/_auto_augment.py`.
@NullMarked
package io.headrace.pipeline.policy;

import org.jspecify.annotations.NullMarked;
