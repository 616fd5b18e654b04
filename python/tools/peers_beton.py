#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads and writes .beton files with FFCV's own writer and reader, to compare Headrace with it.
`./test --peers` uses it. Needs numpy, pillow and tqdm, and FFCV: installed, or its source in the
folder that the environment variable FFCV names. From a source only what lays files out is used:
stand-ins take the place of numba, torch, OpenCV and FFCV's C library, which lay nothing out.

    peers_beton.py write OUT              five pictures, as JPEG and as pixels, with all kinds of fields
    peers_beton.py photos OUT FOLDER      an image folder, as a file of JPEGs
    peers_beton.py read FILE              a line a sample: key, label, SHA-256 of the stored image
"""

import hashlib
import io
import os
import pathlib
import sys
import types

import numpy as np
from PIL import Image


class StandIn(types.ModuleType):
    """A module that has whatever is asked of it: classes whose objects give back what they get."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        body = {
            "__init__": lambda self, *_, **__: None,
            "__call__": lambda self, *given, **_: given[0] if given else self,
        }
        return type(name, (), body)


def find_ffcv():
    try:
        import ffcv  # noqa: F401
    except ImportError:
        source = os.environ.get("FFCV")
        if not source:
            sys.exit("no ffcv: install it, or name its source in the environment variable FFCV")
        for name in ("numba", "numba.typed", "numba.extending", "numba.core", "numba.core.errors",
                     "numba.types", "torch", "torch.nn", "cv2", "ffcv.libffcv"):
            sys.modules[name] = StandIn(name)
        sys.modules["numba.typed"].Dict = dict
        for name in ("ffcv", "ffcv.pipeline"):  # without what their __init__ imports
            package = sys.modules[name] = types.ModuleType(name)
            package.__path__ = [os.path.join(source, *name.split("."))]


def jpeg(pixels, quality):
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "jpeg", quality=quality)
    return np.frombuffer(out.getvalue(), np.uint8)


def save(out, columns, samples, workers=1):
    """`columns` are names and FFCV's fields."""
    from ffcv.fields import rgb_image
    from ffcv.writer import DatasetWriter

    rgb_image.encode_jpeg = jpeg
    writer = DatasetWriter(out, columns, page_size=1 << 21, num_workers=workers)
    writer.from_indexed_dataset(samples, chunksize=2)


def write(out):
    from ffcv.fields import BytesField, FloatField, IntField, JSONField, NDArrayField, RGBImageField

    columns = {
        "weight": FloatField(),
        "image": RGBImageField(write_mode="smart", smart_threshold=600),
        "label": IntField(),
        "caption": BytesField(),
        "about": JSONField(),
        "boxes": NDArrayField(np.dtype("<f4"), (2, 4)),
    }
    samples = []
    for n in range(5):
        pixels = np.full((10 + n, 12 + 2 * n, 3), (40 * n, 90, 200 - 9 * n), np.uint8)
        pixels[::2, 1::2, n % 3] += 7
        caption = np.frombuffer(("picture %d" % n).encode(), np.uint8)
        boxes = np.arange(8, dtype=np.float32).reshape(2, 4) + n / 4
        samples.append((n / 4, pixels, 4 - n, caption, {"n": n}, boxes))
    save(out, columns, samples)


def photos(out, folder):
    from ffcv.fields import IntField, RGBImageField

    samples = []
    root = pathlib.Path(folder)
    classes = sorted((p for p in root.iterdir() if p.is_dir()), key=lambda p: os.fsencode(p.name))
    for label, each in enumerate(classes):
        for file in sorted(each.iterdir(), key=lambda p: os.fsencode(p.name)):
            samples.append((np.array(Image.open(file).convert("RGB")), label))
    save(out, {"image": RGBImageField(write_mode="jpg"), "label": IntField()}, samples, 2)


def read(file):
    from ffcv.reader import Reader

    reader = Reader(file)
    order = np.argsort(reader.alloc_table["ptr"])  # as MemoryManager does
    places, sizes = reader.alloc_table["ptr"][order], reader.alloc_table["size"][order]
    content = np.memmap(file, "uint8", mode="r")
    page = int(reader.page_size)
    assert (places // page == (places + sizes - 1) // page).all(), "a value in two pages"

    def at(place):
        size = sizes[np.searchsorted(places, place)]
        return content[place : place + size].tobytes()

    columns = dict(zip(reader.field_names, reader.metadata.dtype.names))
    for n, row in enumerate(reader.metadata):
        image = row[columns["image"]]
        key = "%d" % n
        if "key" in columns:
            key = at(row[columns["key"]]["ptr"]).decode()
        stored = at(image["data_ptr"])
        if image["mode"] == 1:
            assert len(stored) == 3 * int(image["width"]) * int(image["height"])
        print(key.rsplit(".", 1)[0], row[columns["label"]], hashlib.sha256(stored).hexdigest(), sep="\t")


if __name__ == "__main__":
    verbs = {"write": write, "photos": photos, "read": read}
    if len(sys.argv) < 3 or sys.argv[1] not in verbs:
        sys.exit(__doc__)
    find_ffcv()
    verbs[sys.argv[1]](*sys.argv[2:])
