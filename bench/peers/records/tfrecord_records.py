# SPDX-License-Identifier: Apache-2.0
"""The reader of the tfrecord package: Python that checks no checksums and knows no zlib.

Records are views of one buffer, which the next record overwrites: nothing is copied.
"""

import record_loop
from tfrecord.reader import tfrecord_iterator


def reading(job):
    packing = None if job.compression == "none" else job.compression
    while True:
        for shard in job.shards:
            records, size = record_loop.one_by_one(
                tfrecord_iterator(shard, compression_type=packing)
            )
            yield (1 if shard == job.shards[-1] else 0), records, size


if __name__ == "__main__":
    record_loop.run(record_loop.arguments(__doc__), reading, ("tfrecord",))
