"""Makes golden.csv: SSIM by scikit-image 0.26 and PSNR by its definition, for pictures made from a formula.

Usage: python3 generate.py   (in this folder; needs NumPy and scikit-image)

The formula is repeated in SsimTest: keep them equal.
"""
import numpy as np
from skimage.metrics import structural_similarity


def picture(w, h, seed, noise):
    y, x, c = np.meshgrid(np.arange(h), np.arange(w), np.arange(3), indexing="ij")
    i = (y * w + x) * 3 + c
    wave = (x * 5 + y * 3 + c * 40) % 256
    hashed = ((i * 2654435761 + seed * 40503) % 2**32 >> 13) % 256
    return ((wave * (100 - noise) + hashed * noise) // 100).astype(np.uint8)


with open("golden.csv", "w") as file:
    file.write("width,height,noise a,noise b,ssim,psnr dB\n")
    for w, h, na, nb in ((11, 11, 0, 10), (11, 40, 5, 60), (33, 17, 0, 30), (64, 48, 20, 25),
                         (64, 48, 0, 100), (200, 150, 3, 3), (257, 31, 50, 0)):
        a, b = picture(w, h, 1, na), picture(w, h, 2, nb)
        ssim = structural_similarity(a, b, channel_axis=2, gaussian_weights=True, sigma=1.5,
                                     use_sample_covariance=False, data_range=255)
        mse = np.mean((a.astype(float) - b.astype(float))**2)
        file.write("%d,%d,%d,%d,%.12f,%.9f\n" % (w, h, na, nb, ssim, 10 * np.log10(255**2 / mse)))
