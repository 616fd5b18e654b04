/// Race shards, Headrace's own: a prefix of a file is the dataset at a lower fidelity, any sample
/// is reached directly, and no flipped bit goes unnoticed.
///
/// Every number is little-endian. A shard is
///
/// ```
/// offset 0                64
/// ┌────────────────────────┬──────────┬───────────┬─────────┬──────────────────┐
/// │ header                 │ group 1: │ group 2:  │ …       │ index │ trailer  │
/// │ magic, version, groups │ blobs of │ blobs of  │ group G │       │ 48 bytes │
/// │                        │ all      │ all       │         │       │          │
/// │                        │ samples  │ samples   │         │       │          │
/// └────────────────────────┴──────────┴───────────┴─────────┴──────────────────┘
///            a reader at fidelity g reads up to the end of group g
/// ```
///
/// without a gap anywhere. See [io.headrace.format.race.RaceLayout] for header and trailer,
/// [io.headrace.format.race.RaceIndex] for the index, [io.headrace.format.race.Blob] for blobs.
/// Leaves out how a shard is read from a device, which is the store's business.
@NullMarked
package io.headrace.format.race;

import org.jspecify.annotations.NullMarked;
