"""Makes multiscale.csv: MS-SSIM by TensorFlow, and in float64 by NumPy, for pictures made from a formula.

Usage: python3 generate-multiscale.py   (in this folder; needs NumPy, SciPy and TensorFlow)

The formula is that of generate.py, and Formula.java repeats it: keep them equal. TensorFlow filters in float32, which is
good to about 5e-5 here, and takes no scale smaller than the window: for sides under 161 it is given the first scales'
weights alone, divided by their sum.
"""
import numpy as np
import tensorflow as tf
from scipy.ndimage import correlate1d

WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def picture(w, h, seed, noise):
    y, x, c = np.meshgrid(np.arange(h), np.arange(w), np.arange(3), indexing="ij")
    i = (y * w + x) * 3 + c
    wave = (x * 5 + y * 3 + c * 40) % 256
    hashed = ((i * 2654435761 + seed * 40503) % 2**32 >> 13) % 256
    return ((wave * (100 - noise) + hashed * noise) // 100).astype(np.uint8)


def weights(side):
    scales = 1
    while scales < 5 and (side + 1) // 2 >= 11:
        side, scales = (side + 1) // 2, scales + 1
    if scales == 5:
        return list(WEIGHTS)  # as published and as TensorFlow has them; their sum is 1.0001
    return [weight / sum(WEIGHTS[:scales]) for weight in WEIGHTS[:scales]]


def halved(plane):
    plane = np.pad(plane, [(0, size % 2) for size in plane.shape], mode="symmetric")
    return (plane[::2, ::2] + plane[1::2, ::2] + plane[::2, 1::2] + plane[1::2, 1::2]) / 4


def smoothed(plane):
    taps = np.exp(-0.5 * (np.arange(11) - 5)**2 / 1.5**2)
    return correlate1d(correlate1d(plane, taps / taps.sum(), 0), taps / taps.sum(), 1)[5:-5, 5:-5]


def channel(a, b, powers):
    product = 1
    for scale, power in enumerate(powers):
        if scale > 0:
            a, b = halved(a), halved(b)
        ua, ub = smoothed(a), smoothed(b)
        va, vb, vab = smoothed(a * a) - ua * ua, smoothed(b * b) - ub * ub, smoothed(a * b) - ua * ub
        alike = (2 * vab + 7.65**2) / (va + vb + 7.65**2)
        if scale == len(powers) - 1:
            alike *= (2 * ua * ub + 2.55**2) / (ua * ua + ub * ub + 2.55**2)
        product *= max(0, alike.mean())**power
    return product


with open("multiscale.csv", "w") as file:
    file.write("width,height,noise a,noise b,tensorflow,float64\n")
    for w, h, na, nb in ((176, 176, 0, 10), (161, 161, 5, 60), (200, 301, 0, 30), (333, 177, 20, 25),
                         (480, 320, 0, 100), (257, 400, 3, 3), (163, 500, 50, 0),
                         (160, 240, 10, 40), (81, 64, 0, 20), (41, 52, 30, 0), (21, 90, 10, 30),
                         (20, 11, 0, 15)):
        powers = weights(min(w, h))
        a, b = picture(w, h, 1, na), picture(w, h, 2, nb)
        precise = np.mean([channel(a[..., c].astype(float), b[..., c].astype(float), powers) for c in range(3)])
        flow = tf.image.ssim_multiscale(tf.constant(a), tf.constant(b), 255, powers)
        file.write("%d,%d,%d,%d,%.7f,%.12f\n" % (w, h, na, nb, flow, precise))
print(tf.__version__)
