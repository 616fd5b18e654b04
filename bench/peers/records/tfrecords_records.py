# SPDX-License-Identifier: Apache-2.0
"""The compiled reader and writer of the tfrecords package, a record at a time."""

import record_loop
from tfrecords import TFRecordOptions, TFRecordWriter, tf_record_iterator


def packing(job):
    if job.compression == "none":
        return TFRecordOptions("")
    level = record_loop.ZLIB_LEVEL if job.target else None
    return TFRecordOptions(job.compression.upper(), compression_level=level)


def reading(job):
    options = packing(job)
    while True:
        records = size = 0
        for shard in job.shards:
            count, length = record_loop.one_by_one(tf_record_iterator(shard, options=options))
            records += count
            size += length
        yield 1, records, size


def writer(job):
    options = packing(job)

    def write(path, records):
        with TFRecordWriter(path, options=options) as out:
            for record in records:
                out.write(record)

    return record_loop.writing(write)


if __name__ == "__main__":
    job = record_loop.arguments(__doc__)
    record_loop.run(job, writer(job) if job.target else reading, ("tfrecords",))
