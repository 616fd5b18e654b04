"""Arrays as NumPy saves them (2.4).    python3 generate.py"""

import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
count = np.arange(24).reshape(2, 3, 4)
for name, array in {
    "plain": count.astype("<i4"),
    "columns": np.asfortranarray(count.astype("<i2")),
    "swapped": (count - 12).astype(">f8"),
    "half": (count / 8).astype("<f2"),
    "truth": count % 3 == 0,
    "bytes": (count * 10).astype("u1"),
    "wide": np.uint64(2**64 - 24) + count.astype("u8"),
    "single": np.float32(2.5),
    "none": np.zeros((0, 4), "<i8"),
    "words": np.array(["a", "b"]),
}.items():
    np.save(os.path.join(HERE, name + ".npy"), array)
with open(os.path.join(HERE, "second.npy"), "wb") as file:
    np.lib.format.write_array(file, count.astype("<i8"), version=(2, 0))
