# SPDX-License-Identifier: Apache-2.0
"""Batches on a GPU: bytes travel on a stream of their own, and the GPU makes values of them."""

import collections
import ctypes
import re
import warnings

import torch

from headrace._fields import Ragged, Texts
from headrace._wire import BadRequest

NAMED = {
    "train": "random_resized_crop=224,flip,normalize=imagenet,float32,chw",
    "eval": "resize_shorter=256,center_crop=224,normalize=imagenet,float32,chw",
}
IMAGENET = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225], 1)
TYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
TRIPLE = r"([\d.e+-]+)/([\d.e+-]+)/([\d.e+-]+)"
NORMALIZE = re.compile("normalize=%s:%s(?::range=(1|255))?" % (TRIPLE, TRIPLE))


def divided(pipeline):
    """A pipeline as steps for the engine that end in bytes, and what is left: `Values`, or None.

    >>> divided("eval")[0]
    'resize_shorter=256,center_crop=224,uint8,chw'
    >>> divided("center_crop=8,uint8,chw")
    ('center_crop=8,uint8,chw', None)
    """
    steps = [step.strip() for step in NAMED.get(pipeline, pipeline).split(",")]
    layout = next((s for s in steps if s in ("hwc", "chw")), None)
    kept = [s for s in steps if s not in ("hwc", "chw")]
    count = next((i for i, s in enumerate(kept) if _value(s)), len(kept))
    tail = kept[count:]
    if any(s.startswith("views=") for s in kept):  # fields of more pictures, with values of their own
        return pipeline, None
    if not tail or layout is None or not all(_value(s) for s in tail):
        return pipeline, None
    return ",".join([*kept[:count], "uint8", layout]), Values(tail, layout)


def _value(step):
    return step in TYPES or step in ("center", "normalize=imagenet") or NORMALIZE.fullmatch(step)


class Values:
    """The steps of a pipeline that make values of bytes, rounded as the engine rounds them."""

    def __init__(self, steps, layout):
        self._layout, self._type, self._centred, self._normal = layout, torch.float32, False, None
        for step in steps:
            if step in TYPES:
                self._type = TYPES[step]
            elif step == "center":
                self._centred = True
            elif step == "normalize=imagenet":
                self._normal = IMAGENET
            else:
                found = NORMALIZE.fullmatch(step).groups()
                numbers = [float(text) for text in found[:6]]
                self._normal = numbers[:3], numbers[3:], int(found[6] or 1)

    def __call__(self, images):
        values = images.to(torch.float32)
        if self._centred:
            values = values.div_(127.5).sub_(1)
        elif self._normal is not None:
            mean, deviation, white = self._normal
            shape = (-1, 1, 1) if self._layout == "chw" else (-1,)
            if white == 1:
                values = values.div_(255)
            values = values.sub_(self._tensor(mean, shape, images.device))
            values = values.div_(self._tensor(deviation, shape, images.device))
        return values.to(self._type)

    @staticmethod
    def _tensor(numbers, shape, device):
        return torch.tensor(numbers, dtype=torch.float32, device=device).reshape(shape)


class Cuda:
    """What is asked of CUDA; tests put another in its place."""

    def __init__(self, device):
        if not torch.cuda.is_available():
            raise BadRequest("device=%r: this PyTorch sees no GPU" % str(device))
        self.device = torch.device("cuda", torch.cuda.current_device()) if device.index is None else device
        self.stream = torch.cuda.Stream(self.device)

    def register(self, address, size):
        """Makes memory page-locked; returns whether that worked."""
        return int(torch.cuda.cudart().cudaHostRegister(address, size, 0)) == 0

    def unregister(self, address):
        torch.cuda.cudart().cudaHostUnregister(address)

    def on_stream(self):
        return torch.cuda.stream(self.stream)

    def mark(self):
        """An event after all that the stream has been asked for."""
        event = torch.cuda.Event()
        event.record(self.stream)
        return event

    def after(self, event, tensors):
        """Makes the trainer's stream wait, and keeps the tensors' memory until it is done."""
        current = torch.cuda.current_stream(self.device)
        current.wait_event(event)
        for tensor in tensors:
            tensor.record_stream(current)


def connect(device, zero_copy):
    """The GPU, or an exception that says why there is none."""
    if device.type != "cuda":
        raise BadRequest("device=%r: expected cpu or cuda" % str(device))
    if zero_copy == "strict":
        raise BadRequest("zero_copy='strict' and device= do not go together")
    return Cuda(device)


class Placing:
    """Copies a batch while the one before is trained on."""

    depth = 2

    def __init__(self, loader, cuda, values):
        self._cuda, self._values = cuda, values
        self._flying = collections.deque()  # (event, batch on the CPU): not before a copy has ended
        memory = loader._connection.memory
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        self._registered = self._cuda.register(self._address, len(memory))
        if not self._registered:
            warnings.warn(
                "device=: CUDA cannot page-lock the memory of batches (ulimit -l?), so copies to the"
                " GPU wait for each other",
                stacklevel=4,
            )

    def begin(self, batch):
        with self._cuda.on_stream():
            placed = batch.to(self._cuda.device, non_blocking=True)
            if self._values is not None:
                placed.images = self._values(placed.images)
        event = self._cuda.mark()
        self._flying.append((event, batch))
        return event, placed

    def finish(self, work):
        event, placed = work
        self._cuda.after(event, list(_tensors(placed)))
        self._land()
        return placed

    def _land(self):
        while self._flying and self._flying[0][0].query():
            self._flying.popleft()
        while len(self._flying) > self.depth:
            self._flying.popleft()[0].synchronize()

    def drop(self, work):
        """Nobody wants it; its copy ends by itself."""

    def ended(self, loader):
        while self._flying:
            self._flying.popleft()[0].synchronize()

    def close(self):
        self.ended(None)
        if self._registered:
            self._registered = False
            self._cuda.unregister(self._address)


def _tensors(batch):
    yield from (batch.images, batch.labels, batch.ids)
    for field in batch.fields.values():
        if isinstance(field, Ragged):
            yield from (field.offsets, field.values)
        elif not isinstance(field, Texts):
            yield field
