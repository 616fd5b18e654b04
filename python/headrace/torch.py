# SPDX-License-Identifier: Apache-2.0
"""Batches as PyTorch tensors on the CPU, without a copy.

    from headrace.torch import Loader

    with Loader("photos/train", batch=128) as loader:
        for images, labels in loader:
            step(images.to("cuda"), labels.to("cuda"))

`images.to(device)` has copied when it returns; with `non_blocking=True` copy first, since the
engine fills the memory again once the next batch is asked for. `ids` are the bits as int64.
"""

import torch

from headrace import _loader


class Loader(_loader.Loader):
    __doc__ = _loader.Loader.__doc__.replace("NumPy arrays", "tensors")

    _types = {
        "uint8": torch.uint8,
        "float16": torch.float16,
        "bfloat16": torch.bfloat16,
        "float32": torch.float32,
    }

    def _prepare(self):
        pass

    def _arrays(self, samples, labels, ids, size):
        if size == 0:
            empty = torch.empty(0, dtype=torch.int64)
            return torch.empty((0, *self.shape), dtype=self._types[self.dtype]), empty, empty
        images = torch.frombuffer(samples, dtype=self._types[self.dtype])
        labels = torch.frombuffer(labels, dtype=torch.int64)
        ids = torch.frombuffer(ids, dtype=torch.int64)
        return images.reshape(size, *self.shape), labels, ids
