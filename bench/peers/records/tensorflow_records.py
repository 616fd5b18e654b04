# SPDX-License-Identifier: Apache-2.0
"""TensorFlow's own reader, several files at one time, records handed over a batch at a time."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import record_loop
import tensorflow as tf


def batches(job):
    data = tf.data.TFRecordDataset(
        job.shards,
        compression_type=None if job.compression == "none" else job.compression.upper(),
        buffer_size=8 << 20,
        num_parallel_reads=job.workers,
    )
    data = data.batch(256).prefetch(2)
    options = tf.data.Options()
    options.threading.private_threadpool_size = job.workers
    options.deterministic = False
    while True:
        for batch in data.with_options(options):
            yield batch.numpy()
        yield None


if __name__ == "__main__":
    record_loop.run(__doc__, batches, ("tensorflow-cpu",))
