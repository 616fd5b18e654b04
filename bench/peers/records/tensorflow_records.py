# SPDX-License-Identifier: Apache-2.0
"""TensorFlow's own reader and writer.

Reads as many files at one time as there are workers, and hands records over a batch at a time, as
tensors: making bytes of them for Python would cost it more. Each pass of its pipeline reads all
shards several times over, since with few records starting one would cost more than reading.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import record_loop
import tensorflow as tf

PASSES = 8


def packing(job):
    return None if job.compression == "none" else job.compression.upper()


def reading(job):
    data = tf.data.TFRecordDataset(
        job.shards * PASSES,
        compression_type=packing(job),
        buffer_size=8 << 20,
        num_parallel_reads=job.workers,
    )
    data = data.batch(256).prefetch(2)
    options = tf.data.Options()
    options.threading.private_threadpool_size = job.workers
    options.deterministic = False
    data = data.with_options(options)
    while True:
        records, size = 0, 0
        for batch in data:
            records += batch.shape[0]
            size += int(tf.reduce_sum(tf.strings.length(batch)))
        yield PASSES, records, size


def writer(job):
    options = tf.io.TFRecordOptions(
        compression_type=packing(job) or "",
        compression_level=record_loop.ZLIB_LEVEL if packing(job) else None,
    )

    def write(path, records):
        with tf.io.TFRecordWriter(path, options) as out:
            for record in records:
                out.write(record)

    return record_loop.writing(write)


if __name__ == "__main__":
    job = record_loop.arguments(__doc__)
    record_loop.run(job, writer(job) if job.target else reading, ("tensorflow-cpu",))
