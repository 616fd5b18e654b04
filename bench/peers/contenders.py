# SPDX-License-Identifier: Apache-2.0
"""Who runs: each with its program, its environment, and what it can do."""

from typing import NamedTuple


class Contender(NamedTuple):
    name: str  # as --only takes it
    label: str  # as tables show it
    program: str | None  # below bench/peers; None: there is nothing to run
    environment: str | None  # requirements are envs/NAME.txt; None: the Python that runs peers.py
    container: str = ""  # what it reads if not the image folder itself
    threads: str = "threads"  # what --workers counts
    options: tuple = ()  # of `headrace load`
    conversion: tuple = ()  # options of `headrace convert` that make its container
    sets: tuple = ()  # it takes part in these alone, or in all
    compressions: tuple = ("none", "gzip", "zlib")  # of records


# Environments that share another's packages, to save gigabytes.
BASES = {
    "webdataset": "torch",
    "streaming": "torch",
    "tfrecord": "torch",
    "torchaudio": "torch",
}

# Why an import may fail although pip succeeded.
HINTS = {"spdl": "needs FFmpeg's libraries (Debian: libavdevice59 libavfilter8)"}

IMAGES = (
    Contender("headrace", "Headrace", "loaders/headrace_load.py", None),
    Contender(
        "headrace-python", "Headrace, from Python", "loaders/headrace_python.py", "headrace"
    ),
    Contender(
        "headrace-exact",
        "Headrace, exact",
        "loaders/headrace_load.py",
        None,
        options=("--exact",),
    ),
    Contender(
        "headrace-tiled",
        "Headrace, race of tiled JPEGs",
        "loaders/headrace_load.py",
        None,
        container="race",
        conversion=("--format", "race", "--encoding", "tiled"),
        sets=("data", "photos", "500", "444", "3mp", "12mp"),
    ),
    Contender(
        "headrace-packed",
        "Headrace, race of packed JPEGs",
        "loaders/headrace_load.py",
        None,
        container="race",
        conversion=("--format", "race", "--encoding", "packed"),
        sets=("data", "photos", "500", "444", "3mp", "12mp"),
    ),
    Contender(
        "headrace-pyramid",
        "Headrace, race of pyramids",
        "loaders/headrace_load.py",
        None,
        container="race",
        conversion=("--format", "race", "--encoding", "pyramid"),
        sets=("3mp", "12mp"),  # smaller photos have no level that a crop of 224 could do with
    ),
    Contender(
        "headrace-lossless",
        "Headrace, race of its lossless encoding",
        "loaders/headrace_load.py",
        None,
        container="race",
        conversion=("--format", "race", "--encoding", "lossless"),
        sets=("png", "png3mp"),
    ),
    Contender("dali", "NVIDIA DALI, CPU", "loaders/dali.py", "dali"),
    Contender("tfdata", "tf.data", "loaders/tf_data.py", "tensorflow"),
    Contender(
        "torch-pil",
        "PyTorch DataLoader, Pillow",
        "loaders/torch_pil.py",
        "torch",
        threads="processes",
    ),
    Contender(
        "torch-io",
        "PyTorch DataLoader, torchvision.io",
        "loaders/torch_data.py",
        "torch",
        threads="processes",
    ),
    Contender("spdl", "SPDL", "loaders/spdl_threads.py", "spdl"),
    Contender("grain", "Grain, OpenCV", "loaders/grain_files.py", "grain", threads="processes"),
    Contender(
        "webdataset",
        "WebDataset, torchvision.io",
        "loaders/webdataset_tar.py",
        "webdataset",
        container="tar",
        threads="processes",
    ),
    Contender(
        "streaming",
        "MosaicML Streaming, torchvision.io",
        "loaders/streaming_mds.py",
        "streaming",
        container="MDS",
        threads="processes",
    ),
    # No wheel was ever published; with one, its program would be written.
    Contender("ffcv", "FFCV", None, "ffcv", container="beton"),
)

SOUNDS = (
    Contender("headrace", "Headrace", "loaders/headrace_load.py", None),
    Contender(
        "headrace-python", "Headrace, from Python", "loaders/headrace_python.py", "headrace"
    ),
    Contender(
        "torchaudio",
        "PyTorch DataLoader, soundfile, torchaudio",
        "loaders/torch_data.py",
        "torchaudio",
        threads="processes",
    ),
    Contender(
        "tfdata",
        "tf.data, tf.signal",
        "loaders/tf_data.py",
        "tensorflow",
    ),
)

# Those of IMAGES that do the work of a family of training pipelines.
FAMILIES = {
    "simclr": ("headrace", "headrace-python", "torch-io", "tfdata"),
    "detection": ("headrace", "headrace-python", "torch-io", "tfdata"),
    "recipe": ("headrace", "headrace-python", "torch-io"),  # tf.data has no such changes
}

ALL_RECORDS = ("none", "gzip", "zlib", "zstd")

RECORDS = (
    Contender(
        "headrace", "Headrace", "records/headrace_records.py", None, compressions=ALL_RECORDS
    ),
    Contender("tensorflow", "TensorFlow", "records/tensorflow_records.py", "tensorflow"),
    Contender("tfrecords", "tfrecords (compiled)", "records/tfrecords_records.py", "tfrecords"),
    Contender(
        "tfrecord",
        "tfrecord (Python, no checksums)",
        "records/tfrecord_records.py",
        "tfrecord",
        compressions=("none", "gzip"),
    ),
)

# The package tfrecord writes dictionaries only, which it serialises itself.
WRITERS = tuple(c for c in RECORDS if c.name != "tfrecord")

# When these read, --workers changes nothing.
SINGLE = {"records/tfrecords_records.py", "records/tfrecord_records.py"}

# What must import, by environment.
IMPORTS = {
    "headrace": "numpy",
    "torch": "torch, torchvision",
    "torchaudio": "torch, torchaudio, soundfile",
    "tensorflow": "tensorflow, soundfile",
    "dali": "nvidia.dali.fn",
    "grain": "grain, cv2",
    "spdl": "spdl.io; spdl.io.demux_config()",
    "webdataset": "webdataset, torchvision",
    "streaming": "streaming, torchvision",
    "ffcv": "ffcv",
    "tfrecord": "tfrecord.reader",
    "tfrecords": "tfrecords",
    "sets": "PIL",
}
