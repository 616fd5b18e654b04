# SPDX-License-Identifier: Apache-2.0
"""tf.data: decode_wav, a polyphase filter where the rate differs, tf.signal.stft, parallel map.

16-bit WAV of one rate only: TensorFlow itself decodes nothing else.
"""

import os
import sys
import wave

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import tensorflow as tf
from measure import BANDS, FFT, HOP, RATE, SECONDS, mel_filters, run, sinc_filter


def _resampler(rate):
    kernel, width, old, new = sinc_filter(rate, RATE)

    def resample(sound):
        count = tf.shape(sound)[0]
        padded = tf.pad(sound, [[width, width + old]])
        made = tf.nn.conv1d(padded[None, :, None], kernel, old, "VALID")
        return tf.reshape(made, [-1])[: -(-count * new // old)]

    return resample


def batches(job):
    with wave.open(job.files[0]) as first:
        rate = first.getframerate()
    resample = None if rate == RATE else _resampler(rate)
    filters = tf.constant(mel_filters())
    length = RATE * SECONDS

    def sample(path, index):
        sound, _ = tf.audio.decode_wav(tf.io.read_file(path))
        sound = tf.reduce_mean(sound, 1)
        if resample:
            sound = resample(sound)
        room = tf.shape(sound)[0] - length
        if job.train:
            start = tf.random.uniform([], 0, tf.maximum(room, 0) + 1, tf.int32)
            sound = sound[start:]
        sound = tf.pad(sound[:length], [[0, tf.maximum(-room, 0)]])
        sound = tf.pad(tf.ensure_shape(sound, [length]), [[FFT // 2, FFT // 2]], "REFLECT")
        power = tf.square(tf.abs(tf.signal.stft(sound, FFT, HOP, FFT)))
        mel = tf.matmul(power, filters)
        return tf.math.log(tf.maximum(mel, 1e-10)) * 4.342944819, index

    count = len(job.files)
    data = tf.data.Dataset.from_tensor_slices((job.files, list(range(count))))
    if job.train:
        data = data.shuffle(count)
    if not job.once:
        data = data.repeat()
    data = data.map(sample, num_parallel_calls=job.workers, deterministic=False)
    data = data.batch(job.batch).prefetch(2)
    options = tf.data.Options()
    options.threading.private_threadpool_size = job.workers
    options.threading.max_intra_op_parallelism = 1
    options.deterministic = False
    return data.with_options(options).as_numpy_iterator()


if __name__ == "__main__":
    run(__doc__, batches, ("tensorflow-cpu",))
