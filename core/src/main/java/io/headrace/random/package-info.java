/// Numbers drawn from a place (seed, epoch, sample), never from a running state.
///
/// So pixels and orders do not depend on threads. Knows nothing of samples or steps.
@NullMarked
package io.headrace.random;

import org.jspecify.annotations.NullMarked;
