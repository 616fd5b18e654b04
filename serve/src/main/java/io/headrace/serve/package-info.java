/// Hands the batches of a loader to other processes of the same host: pixels in memory that all
/// have mapped, short messages over a Unix domain socket. `docs/wire.md` is the protocol.
///
/// Leaves out what a batch is made of, which `load` says, and other hosts.
@NullMarked
package io.headrace.serve;

import org.jspecify.annotations.NullMarked;
