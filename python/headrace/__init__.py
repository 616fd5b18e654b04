# SPDX-License-Identifier: Apache-2.0
"""Batches of Headrace, in memory shared with its decoders.

    from headrace import Loader        # NumPy arrays
    from headrace.torch import Loader  # PyTorch tensors
"""

import sys

if sys.platform != "linux":
    raise ImportError(
        "Headrace's Python package works on Linux only, since batches travel in memory that a process"
        " reaches through /proc; on macOS ./headrace in a checkout runs every command with Homebrew's"
        " libraries, and on Windows all of it runs in WSL 2"
    )

from headrace._commands import convert, diff, inspect, tune, verify
from headrace._dataset import Dataset
from headrace._fields import Ragged, Texts
from headrace._loader import Batch, Loader
from headrace._mixture import Mixture
from headrace._wire import BadData, BadRequest, EngineDied, HeadraceError

__version__ = "0.1.0"
__all__ = [
    "BadData",
    "BadRequest",
    "Batch",
    "Dataset",
    "EngineDied",
    "HeadraceError",
    "Loader",
    "Mixture",
    "Ragged",
    "Texts",
    "convert",
    "diff",
    "inspect",
    "tune",
    "verify",
]
