"""Makes the goldens of spectrograms and resampling.

    python3 -m venv venv && venv/bin/pip install tensorflow-cpu==2.21.0 soxr==1.1.0 numpy
    venv/bin/python generate.py

The sound follows from a formula in integers (see Golden.java), so none is kept.
"""
import gzip
import numpy as np
import soxr
import tensorflow as tf

ODD = 12345


def sound(n):
    """A sawtooth, a triangle and noise: 16-bit integers over 32768."""
    x = np.empty(n, np.float32)
    state = ODD
    for i in range(n):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        noise = (state >> 16) % 4001 - 2000
        saw = (i * 577) % 16000 - 8000
        triangle = abs((i * 211) % 20000 - 10000) - 5000
        x[i] = np.float32((noise + saw + triangle) / 32768)
    return x


def save(name, values):
    data = np.ascontiguousarray(values, "<f4").tobytes()
    with open(name, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as out:
        out.write(data)


for rate, frames in ((16000, 2000), (48000, 5000), (8000, 1111), (22050, 2500)):
    x = sound(frames)
    stft = tf.abs(tf.signal.stft(x, rate // 50, rate // 100, 1024))
    matrix = tf.signal.linear_to_mel_weight_matrix(80, 513, rate)
    mel = tf.math.log(tf.tensordot(stft, matrix, 1) + 1e-8)
    save(f"stft-{rate}.bin.gz", stft[:3])
    save(f"mel-{rate}.bin.gz", mel)
    if rate == 16000:
        save("matrix-16000.bin.gz", matrix)

t = np.arange(4410)
for source, target in ((44100, 16000), (8000, 16000), (48000, 44100)):
    # smooth and well below half of either rate, fading in and out
    x = np.sin(2 * np.pi * 0.031 * t) * np.sin(np.pi * t / 4410) ** 2 * 0.5
    y = soxr.resample(x, source, target, "VHQ")
    save(f"resampled-{source}-{target}.bin.gz", y)
