# SPDX-License-Identifier: Apache-2.0
"""The compiled reader of the tfrecords package, a record at a time."""

import record_loop
from tfrecords import TFRecordOptions, tf_record_iterator


def batches(job):
    packing = "" if job.compression == "none" else job.compression.upper()
    while True:
        for shard in job.shards:
            for record in tf_record_iterator(shard, options=TFRecordOptions(packing)):
                yield (record,)
        yield None


if __name__ == "__main__":
    record_loop.run(__doc__, batches, ("tfrecords",))
