/// Hands batches to other hosts, by Arrow Flight: a server, and a client that takes from several.
/// `docs/feeding.md` is what they say to each other.
///
/// Which server makes which batch is arithmetic on numbers that all know; servers know nothing of
/// each other.
@NullMarked
package io.headrace.flight;

import org.jspecify.annotations.NullMarked;
