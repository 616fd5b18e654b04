"""Makes imagemagick-quality.csv: quantisation tables and the quality ImageMagick reports for them.

Usage: python3 quality.py   (in this folder; needs ImageMagick 6.9 and generate.py's baseline.jpg)

Columns: quality, then tables 0 and 1 as hex in zigzag order. ImageMagick prints 92 where it has no
estimate; no table here has a true 92, so that is written as 0.
"""
import random
import subprocess

jpeg = open("baseline.jpg", "rb").read()
first = jpeg.index(b"\xff\xdb") + 5
second = jpeg.index(b"\xff\xdb", first) + 5
random.seed(25)
tables, files = [], []
for n in range(60):
    pair = []
    scale, noise = random.choice((0.5, 1, 2, 3, 5, 8)), random.choice((0, 0.05, 0.3, 1))
    for start in (first, second):
        pair.append(bytes(max(1, min(255, round(v * scale * (1 + noise * random.uniform(-1, 1)))))
                          for v in jpeg[start:start + 64]))
    tables.append(pair)
    data = jpeg[:first] + pair[0] + jpeg[first + 64:second] + pair[1] + jpeg[second + 64:]
    out = subprocess.run(["identify", "-format", "%Q", "jpeg:-"], input=data,
                         stdout=subprocess.PIPE, check=True).stdout.decode()
    files.append(0 if out == "92" else int(out))
with open("imagemagick-quality.csv", "w") as file:
    for quality, pair in zip(files, tables):
        file.write("%d,%s,%s\n" % (quality, pair[0].hex(), pair[1].hex()))
print(sorted(files))
