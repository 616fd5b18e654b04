# SPDX-License-Identifier: Apache-2.0
"""The reader of the tfrecord package: Python that checks no checksums and knows no zlib.

Records are views of one buffer, which the next record overwrites: nothing is copied.
"""

import record_loop
from tfrecord.reader import tfrecord_iterator


def batches(job):
    packing = None if job.compression == "none" else job.compression
    while True:
        for shard in job.shards:
            for record in tfrecord_iterator(shard, compression_type=packing):
                yield (record,)
        yield None


if __name__ == "__main__":
    record_loop.run(__doc__, batches, ("tfrecord",))
