"""Makes multiscale.csv: MS-SSIM and SSIM by TensorFlow for pictures made from a formula.

Usage: python3 generate-multiscale.py   (in this folder; needs NumPy and TensorFlow)

The formula is that of generate.py, and SsimTest and MsSsimTest repeat it: keep them equal. TensorFlow filters in
float32 and takes no scale smaller than the window: for sides under 161 it is given the first scales' weights alone,
divided by their sum.
"""
import numpy as np
import tensorflow as tf


def picture(w, h, seed, noise):
    y, x, c = np.meshgrid(np.arange(h), np.arange(w), np.arange(3), indexing="ij")
    i = (y * w + x) * 3 + c
    wave = (x * 5 + y * 3 + c * 40) % 256
    hashed = ((i * 2654435761 + seed * 40503) % 2**32 >> 13) % 256
    return ((wave * (100 - noise) + hashed * noise) // 100).astype(np.uint8)


WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def weights(side):
    scales = 1
    while scales < 5 and (side + 1) // 2 >= 11:
        side, scales = (side + 1) // 2, scales + 1
    if scales == 5:
        return list(WEIGHTS)  # as published and as TensorFlow has them; their sum is 1.0001
    return [weight / sum(WEIGHTS[:scales]) for weight in WEIGHTS[:scales]]


with open("multiscale.csv", "w") as file:
    file.write("width,height,noise a,noise b,ms-ssim,ssim\n")
    for w, h, na, nb in ((176, 176, 0, 10), (161, 161, 5, 60), (200, 301, 0, 30), (333, 177, 20, 25),
                         (480, 320, 0, 100), (257, 400, 3, 3), (163, 500, 50, 0),
                         (160, 240, 10, 40), (81, 64, 0, 20), (41, 52, 30, 0), (21, 90, 10, 30),
                         (20, 11, 0, 15)):
        a, b = (tf.constant(picture(w, h, seed, noise)) for seed, noise in ((1, na), (2, nb)))
        file.write("%d,%d,%d,%d,%.7f,%.7f\n" % (
            w, h, na, nb, tf.image.ssim_multiscale(a, b, 255, weights(min(w, h))),
            tf.image.ssim(a, b, 255)))
print(tf.__version__)
