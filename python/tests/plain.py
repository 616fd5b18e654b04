# SPDX-License-Identifier: Apache-2.0
"""The loader without NumPy, so that any Python can test what arrives."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from headrace import Loader


class Plain(Loader):
    """Batches of memory views: samples as bytes, labels and ids as numbers."""

    def _prepare(self, pin_memory):
        pass

    def _arrays(self, samples, labels, ids, size):
        return samples, labels, ids
