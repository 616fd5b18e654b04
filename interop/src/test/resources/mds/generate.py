#!/usr/bin/env python3
"""Makes the MDS fixtures here with the real MDSWriter of mosaicml-streaming 0.13.0.

Needs: pip install --no-deps mosaicml-streaming; pip install numpy pillow zstd brotli python-snappy
xxhash tqdm typing_extensions. What the package imports besides (torch and cloud clients) is not used by the writer
and replaced by empty modules.
"""
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import random
import shutil
import struct
import sys
import types


class Empty(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every module that is not there, and puts nothing in it but names."""

    WANTED = ("torch", "transformers", "boto3", "botocore", "oci", "google", "azure", "paramiko",
              "catalogue", "huggingface_hub", "databricks", "requests", "pyspark", "alipcsutil",
              "tenacity", "pathos", "filelock", "psutil", "pandas", "matplotlib", "torchvision")

    def find_spec(self, name, path, target=None):
        if name.split(".")[0] not in self.WANTED:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = types.ModuleType(spec.name)

        def name(n):
            if n.startswith("__"):
                raise AttributeError(n)
            return type(n, (Exception,), {})
        module.__getattr__ = name
        return module

    def exec_module(self, module):
        pass


sys.meta_path.append(Empty())
root = pathlib.Path(importlib.util.find_spec("streaming").submodule_search_locations[0])
for name in ("streaming", "streaming.base"):  # not their __init__, which needs torch
    package = types.ModuleType(name)
    package.__path__ = [str(root.parent.joinpath(*name.split(".")))]
    sys.modules[name] = package

import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402
from streaming.base.format.mds.writer import MDSWriter  # noqa: E402

HERE = pathlib.Path(__file__).parent


def picture(seed, mode="RGB"):
    rng = random.Random(seed)
    base = [rng.randrange(256) for _ in range(3)]
    image = Image.new("RGB", (24, 16))
    image.putdata([tuple((base[c] + x * 3 + y * 5 * c) % 256 for c in range(3))
                   for y in range(16) for x in range(24)])
    return image.convert(mode)


def encoded(image, kind):
    out = io.BytesIO()
    image.save(out, kind, quality=85)
    return out.getvalue()


def wav(number, rate=8000):
    """A short triangle of 16 bits."""
    samples = [abs((i * (37 + number)) % 2000 - 1000) * 20 - 10000 for i in range(300 + 10 * number)]
    return struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + 2 * len(samples), b"WAVEfmt ", 16, 1, 1,
                       rate, 2 * rate, 2, 16, b"data", 2 * len(samples)
                       ) + struct.pack("<%dh" % len(samples), *samples)


def write(name, columns, samples, **options):
    shutil.rmtree(HERE / name, ignore_errors=True)
    with MDSWriter(out=str(HERE / name), columns=columns, **options) as writer:
        for sample in samples:
            writer.write(sample)


def main():
    jpegs = [encoded(picture(i), "JPEG") for i in range(7)]
    (HERE / "images").mkdir(exist_ok=True)
    for i, jpeg in enumerate(jpegs):
        (HERE / f"images/{i}.jpg").write_bytes(jpeg)
    plain = {"image": "jpeg", "label": "int", "caption": "str", "score": "float32",
             "tokens": "ndarray:uint16"}
    rows = [{"image": jpeg, "label": i % 3, "caption": f"picture {i}: é",
             "score": i / 4, "tokens": np.arange(i + 1, dtype=np.uint16)}
            for i, jpeg in enumerate(jpegs)]
    write("plain", plain, rows, hashes=["sha1", "xxh64"], size_limit=3500)
    two = {"jpg": "bytes", "class": "uint8", "meta": "json"}
    for compression in ("zstd", "gz:9", "bz2", "br", "snappy"):
        write("packed-" + compression.split(":")[0], two,
              [{"jpg": jpeg, "class": i, "meta": {"n": i}} for i, jpeg in enumerate(jpegs)],
              compression=compression, hashes=["md5"])
    write("pil", {"x": "pil", "y": "int"},
          [{"x": picture(0), "y": 4}, {"x": picture(1, "L"), "y": 5},
           {"x": picture(2, "CMYK"), "y": 6}])
    (HERE / "images/0.rgb").write_bytes(picture(0).tobytes())
    (HERE / "images/1.grey").write_bytes(picture(1, "L").tobytes())
    write("audio", {"audio": "bytes", "label": "int", "text": "str"},
          [{"audio": wav(i), "label": i % 2, "text": f"word {i}"} for i in range(5)])
    write("text", {"text": "str"}, [{"text": "no image"}])
    for index in HERE.glob("*/index.json"):
        print(index.parent.name, len(json.loads(index.read_text())["shards"]), "shards")


main()
