# SPDX-License-Identifier: Apache-2.0
"""Batches as PyTorch tensors, without a copy on the CPU, or on a GPU.

    from headrace.torch import Loader

    with Loader("photos/train", batch_size=128, device="cuda") as loader:
        for images, labels in loader:
            step(images, labels)

A tensor's memory is not filled again while the tensor, or a view of it, is in use. With `device=`
batches are on the GPU: a side stream copies the next one while one is trained on, from memory that
is registered with CUDA. Where pipeline= ends in values (`normalize`, `center`, a float type; "train"
and "eval" do), bytes travel, and the GPU computes the values. With `pin_memory=True` batches lie in page-locked
memory, from which `batch.to("cuda", non_blocking=True)` copies while Python goes on.

Each rank of `torch.distributed`, or of torchrun, gets its share, unless rank= says which. `ids` are
the bits as int64.
"""

import os
import warnings

import torch

from headrace import _dataset, _device, _loader, _mixture
from headrace._fields import Ragged, Texts
from headrace._wire import BadRequest


class Batch(_loader.Batch):
    """As `headrace.Batch`, of tensors."""

    def to(self, *args, **kwargs):
        """The same on a device, with the arguments of `Tensor.to` such as `non_blocking=True`.

        A dtype is for images alone.
        """
        device = torch._C._nn._parse_to(*args, **kwargs)[0]
        others = {k: v for k, v in kwargs.items() if k == "non_blocking"}
        images = self.images.to(*args, **kwargs)
        if device is None:
            return self._with(images, lambda tensor: tensor)
        return self._with(images, lambda tensor: tensor.to(device, **others))

    def pin_memory(self):
        """A copy in page-locked memory."""
        return self._with(self.images.pin_memory(), lambda tensor: tensor.pin_memory())

    def _with(self, images, change):
        fields = {}
        for name, field in self.fields.items():
            if isinstance(field, Ragged):
                field = Ragged(change(field.offsets), change(field.values))
            elif not isinstance(field, Texts):
                field = change(field)
            fields[name] = field
        labels, ids = change(self.labels), change(self.ids)
        return type(self)(images, labels, ids, self._message, fields=fields)


class Loader(_loader.Loader):
    __doc__ = _loader.Loader.__doc__.replace("NumPy arrays", "tensors").replace(
        "    pin_memory: ",
        """    device: such as "cuda" or "cuda:1": batches are there; "cpu" or None: they are not moved
    rank: if not given, that of torch.distributed or of torchrun's environment
    pin_memory: """,
    )

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
    _batch_type = Batch
    _before_transform = "random_resized_crop=224,flip,uint8,chw"

    def __init__(self, data=None, *, device=None, **options):
        self._device = torch.device("cpu" if device is None else device)
        self._values = self._placing = None
        cuda = None
        if self._device.type != "cpu":
            cuda = _device.connect(self._device, options.get("zero_copy"))
        super().__init__(data, **options)
        if cuda is not None:
            self._placing = _device.Placing(self, cuda, self._values)

    def _defaults(self, options, transforming, connecting):
        options = super()._defaults(options, transforming, connecting)
        if connecting == "socket":
            return options
        if options.get("rank") is None:
            rank = _rank()
            if rank is not None:
                options = {**options, "rank": rank}
        if connecting:
            return options
        pipeline = options.get("pipeline")
        if self._device.type != "cpu" and not transforming and isinstance(pipeline, str):
            steps, self._values = _device.divided(pipeline)
            options = {**options, "pipeline": steps}
        return options

    def _may_write(self):
        return self._device.type == "cpu"  # else CUDA registers the memory, which pins its pages

    def _staged(self, batches):
        batches = super()._staged(batches)
        return batches if self._placing is None else self._ahead(batches, self._placing)

    def close(self):
        if self._placing is not None:
            self._placing.close()
        super().close()

    def _prepare(self, pin_memory):
        self._pin = pin_memory and torch.cuda.is_available()
        if pin_memory and self._device.type != "cpu":
            raise BadRequest("pin_memory=True: with device= batches are on the GPU already")
        if pin_memory and not self._pin:
            warnings.warn("pin_memory=True: there is no GPU, so memory is not pinned", stacklevel=4)

    def _arrays(self, samples, labels, ids, size):
        if size == 0:
            images = torch.empty((0, *self.shape), dtype=self._types[self.dtype])
        else:
            images = torch.frombuffer(samples, dtype=self._types[self.dtype])
            images = images.reshape(size, *self.shape)
        # pinned by PyTorch's allocator, which waits for copies that still read
        return images.pin_memory() if self._pin else images, *self._columns(labels, ids)

    def _columns(self, labels, ids):
        if not len(labels):
            return torch.empty(0, dtype=torch.int64), torch.empty(0, dtype=torch.int64)
        labels = torch.frombuffer(labels, dtype=torch.int64)
        ids = torch.frombuffer(ids, dtype=torch.int64)
        return (labels.pin_memory(), ids.pin_memory()) if self._pin else (labels, ids)

    def _array(self, memory, dtype, shape):
        tensor = self._view(memory, dtype, shape)
        return tensor.pin_memory() if self._pin and len(tensor) else tensor

    def _view(self, memory, dtype, shape):
        kind = self._types[dtype]
        if kind is None:
            raise BadRequest(
                "this PyTorch has no %s: ask for the field in another type, such as NAME:int64" % dtype
            )
        if not len(memory):
            return torch.empty((0, *shape), dtype=kind)
        return torch.frombuffer(memory, dtype=kind).reshape(-1, *shape)


class Dataset(_dataset.Dataset, torch.utils.data.Dataset):
    __doc__ = _dataset.Dataset.__doc__
    _loader_type = Loader


class Mixture(_mixture.Mixture, Loader):
    __doc__ = _mixture.Mixture.__doc__
    _source_type = Loader


Loader._mixture_type = Mixture


def _rank():
    """This process's rank and the number of ranks, or None if nothing says that there are several."""
    distributed = torch.distributed
    if distributed.is_available() and distributed.is_initialized():
        pair = distributed.get_rank(), distributed.get_world_size()
    elif "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        try:
            pair = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        except ValueError:
            return None
    else:
        return None
    return pair if pair[1] > 1 else None
