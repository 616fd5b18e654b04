# SPDX-License-Identifier: Apache-2.0
"""Batches as PyTorch tensors on the CPU, without a copy.

    from headrace.torch import Loader

    with Loader("photos/train", batch=128) as loader:
        for images, labels in loader:
            step(images.to("cuda"), labels.to("cuda"))

A tensor's memory is not filled again while the tensor, or a view of it, is in use. With
`pin_memory=True` batches lie in page-locked memory, from which `images.to("cuda",
non_blocking=True)` copies while Python goes on. `ids` are the bits as int64.
"""

import warnings

import torch

from headrace import _loader
from headrace._wire import BadRequest


class Loader(_loader.Loader):
    __doc__ = _loader.Loader.__doc__.replace("NumPy arrays", "tensors")

    _types = {
        "uint8": torch.uint8,
        "float16": torch.float16,
        "bfloat16": torch.bfloat16,
        "float32": torch.float32,
        **{
            name: getattr(torch, name, None)
            for name in "bool int8 uint16 int16 uint32 int32 uint64 int64 float64".split()
        },
    }

    def _prepare(self, pin_memory):
        self._pin = pin_memory and torch.cuda.is_available()
        if pin_memory and not self._pin:
            warnings.warn("pin_memory=True: there is no GPU, so memory is not pinned", stacklevel=3)

    def _arrays(self, samples, labels, ids, size):
        if size == 0:
            empty = torch.empty(0, dtype=torch.int64)
            return torch.empty((0, *self.shape), dtype=self._types[self.dtype]), empty, empty
        images = torch.frombuffer(samples, dtype=self._types[self.dtype])
        images = images.reshape(size, *self.shape)
        labels = torch.frombuffer(labels, dtype=torch.int64)
        ids = torch.frombuffer(ids, dtype=torch.int64)
        if self._pin:  # by PyTorch's allocator, which waits for copies that still read
            return images.pin_memory(), labels.pin_memory(), ids.pin_memory()
        return images, labels, ids

    def _array(self, memory, dtype, shape):
        kind = self._types[dtype]
        if kind is None:
            raise BadRequest(
                "this PyTorch has no %s: ask for the field in another type, such as NAME:int64" % dtype
            )
        if not len(memory):
            return torch.empty((0, *shape), dtype=kind)
        tensor = torch.frombuffer(memory, dtype=kind).reshape(-1, *shape)
        return tensor.pin_memory() if self._pin else tensor
