# SPDX-License-Identifier: Apache-2.0
"""Batches of Headrace, in memory shared with its decoders.

    from headrace import Loader        # NumPy arrays
    from headrace.torch import Loader  # PyTorch tensors
"""

from headrace._fields import Ragged, Texts
from headrace._loader import Batch, Loader
from headrace._wire import BadData, BadRequest, EngineDied, HeadraceError

__version__ = "0.1.0"
__all__ = ["BadData", "BadRequest", "Batch", "EngineDied", "HeadraceError", "Loader", "Ragged", "Texts"]
