#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads and writes WebDataset shards with the webdataset and wids packages, to compare Headrace
with them. `./test --peers` uses it; see requirements-peers.txt for the packages.

    peers_tar.py read URL...               every sample with webdataset, shard after shard
    peers_tar.py wids INDEX                every sample by number with wids, through its JSON index
    peers_tar.py list FILE...              every sample with Python's tarfile, in random access
    peers_tar.py write OUT SHARDS IMAGEDIR image folder to shards, with webdataset's ShardWriter,
                                           or with its TarWriter if OUT ends in .gz, .bz2 or .xz

All but write print a line for each sample: key, label (class number), SHA-256 of the image.
"""

import hashlib
import os
import pathlib
import sys
import tempfile
import types


def line(key, label, image):
    print(key, int(label), hashlib.sha256(image).hexdigest(), sep="\t")


def read(urls):
    import webdataset

    for url in urls:
        for sample in webdataset.WebDataset([url], shardshuffle=False, empty_check=False):
            image = next(sample[e] for e in ("jpg", "jpeg", "png") if e in sample)
            line(sample["__key__"], sample["cls"], image)


def wids(index):
    try:
        import torch.utils.data  # noqa: F401
    except ImportError:  # wids needs its base classes and, for samplers not used here, the rest
        for name in ("torch", "torch.distributed", "torch.utils", "torch.utils.data"):
            module = sys.modules[name] = types.ModuleType(name)
            parent, _, last = name.rpartition(".")
            if parent:
                setattr(sys.modules[parent], last, module)
        kinds = {"__class_getitem__": classmethod(lambda cls, _: cls)}
        module.Dataset = type("Dataset", (), kinds)
        module.Sampler = type("Sampler", (), kinds)
    from wids.wids import ShardListDataset

    with tempfile.TemporaryDirectory() as cache:
        data = ShardListDataset(index, cache_dir=cache, transformations=[])
        for i in range(len(data)):
            sample = data[i]
            image = next(sample[e] for e in (".jpg", ".jpeg", ".png") if e in sample)
            line(sample["__key__"], sample[".cls"].read(), image.read())
        data.close()


def listing(files):
    import tarfile

    for file in files:
        with tarfile.open(file) as tar:
            names = tar.getnames()
            for image, label in zip(names[::2], names[1::2]):
                stem = image.rsplit(".", 1)[0]
                assert label == stem + ".cls", (image, label)
                digits = tar.extractfile(label).read()
                line(stem, digits, tar.extractfile(image).read())


def photos(folder):
    root = pathlib.Path(folder)
    classes = sorted((p.name for p in root.iterdir() if p.is_dir()), key=os.fsencode)
    for label, name in enumerate(classes):
        for file in sorted((root / name).iterdir(), key=lambda p: os.fsencode(p.name)):
            if file.suffix in (".jpg", ".jpeg", ".png"):
                yield f"{name}/{file.stem}", label, file.suffix[1:], file.read_bytes()


def write(out, shards, folder):
    import webdataset

    samples = list(photos(folder))
    if out.endswith(("gz", "bz2", "xz")):
        writer = webdataset.TarWriter(out)
    else:
        each = -(-len(samples) // int(shards))
        writer = webdataset.ShardWriter(out, maxcount=each, verbose=0)
    with writer as sink:
        for key, label, extension, image in samples:
            sink.write({"__key__": key, extension: image, "cls": label})


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    verb, rest = sys.argv[1], sys.argv[2:]
    if verb == "read":
        read(rest)
    elif verb == "wids":
        wids(*rest)
    elif verb == "list":
        listing(rest)
    elif verb == "write":
        write(*rest)
    else:
        sys.exit(__doc__)
