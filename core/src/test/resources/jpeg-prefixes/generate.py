"""Makes picture.jpg and expected.txt: what djpeg makes of each beginning of a progressive JPEG.

Usage: python3 generate.py   (in this folder; needs NumPy, and cjpeg and djpeg of libjpeg-turbo 2.1)
"""
import subprocess
import zlib

import numpy as np


def run(data, *command):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


y, x = np.mgrid[:48, :64].astype(float)
hill = 120 * np.exp(-((x - 40)**2 + (y - 20)**2) / 300)
rings = 30 * np.sin(((x - 10)**2 + (y - 40)**2) / 90)
edge = np.where(x + y > 70, 40, 0)
rgb = np.stack([60 + hill + rings, 90 + hill / 2 + edge, 150 - hill + rings / 2 + edge], 2)
rgb += np.random.default_rng(103).normal(0, 4, rgb.shape)
ppm = b"P6 64 48 255\n" + np.clip(np.rint(rgb), 0, 255).astype(np.uint8).tobytes()
jpeg = run(ppm, "cjpeg", "-quality", "90", "-progressive", "-dct", "int")
open("picture.jpg", "wb").write(jpeg)

ends, at = [], 2
while jpeg[at:at + 2] != b"\xff\xd9":  # SOI is at 0, segments follow
    scan = jpeg[at + 1] == 0xda
    at += 2 + int.from_bytes(jpeg[at + 2:at + 4], "big")
    if scan:
        while jpeg[at] != 0xff or jpeg[at + 1] == 0:
            at += 1
        ends.append(at)
full = None
rows = []
for end in reversed(ends):
    pnm = run(jpeg[:end] + b"\xff\xd9", "djpeg", "-pnm", "-dct", "int")
    pixels = np.frombuffer(pnm[-3 * 64 * 48:], np.uint8)
    full = pixels if full is None else full
    squares = np.mean((pixels.astype(float) - full)**2)
    psnr = 10 * np.log10(255**2 / squares) if squares else np.inf
    rows.append("%d %d %08x %.4f\n" % (ends.index(end) + 1, end, zlib.crc32(pixels.tobytes()), psnr))
with open("expected.txt", "w") as file:
    file.write("# scans, bytes without an end marker, CRC-32 of djpeg's RGB pixels, PSNR in dB to all scans\n")
    file.writelines(reversed(rows))
