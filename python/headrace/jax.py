# SPDX-License-Identifier: Apache-2.0
"""Batches as JAX arrays, on any device or sharding.

    from headrace.jax import Loader

    with Loader("photos/train", batch_size=128) as loader:
        for images, labels in loader:
            state = step(state, images, labels)

Images lie where the engine put them and are handed to JAX by DLPack, without a copy on the CPU; from
there `jax.device_put` brings them to `device=`, two batches ahead. Labels are int32 (int64 if JAX has
64 bits on); ids and fields are NumPy arrays, since JAX would cut 64-bit numbers.
"""

import jax
import jax.numpy as jnp
import numpy

from headrace import _loader, _mixture
from headrace._wire import BadRequest


class Batch(_loader.Batch):
    """As `headrace.Batch`, with images and labels of JAX."""


class Loader(_loader.Loader):
    __doc__ = _loader.Loader.__doc__.replace("NumPy arrays", "JAX arrays").replace(
        "    pin_memory: tensors are copied to page-locked memory (headrace.torch)\n",
        "    device: a device or a sharding for images and labels; JAX's default if not given\n",
    )

    def __init__(self, data=None, *, device=None, **options):
        if options.get("zero_copy") == "strict":
            raise BadRequest("zero_copy='strict' and JAX do not go together: its arrays never change")
        self._placing = _Placing(device)
        super().__init__(data, **options)
        self._placing.dtype = self.dtype

    def _staged(self, batches):
        return self._ahead(super()._staged(batches), self._placing)


class Mixture(_mixture.Mixture, Loader):
    """Batches of several datasets, mixed in memory of NumPy: what `Loader(sources={…})` makes."""

    _source_type = _loader.Loader

    def __init__(self, data=None, *, device=None, **options):
        self._placing = _Placing(device)
        super().__init__(data, **options)
        self._placing.dtype = self.dtype

    def _mixed(self, size):
        return self._placing.begin(super()._mixed(size))


Loader._mixture_type = Mixture


class _Placing:
    """Sends batches to the device before they are asked for."""

    depth = 2

    def __init__(self, device):
        self._device, self.dtype = device, None

    def begin(self, batch):
        images = self._put(batch.images)
        if self.dtype == "bfloat16" and images.dtype == jnp.uint16:  # its bits
            images = jax.lax.bitcast_convert_type(images, jnp.bfloat16)
        labels = batch.labels if jax.config.jax_enable_x64 else batch.labels.astype(numpy.int32)
        return Batch(images, self._put(labels), batch.ids, batch._message, fields=batch.fields)

    def _put(self, array):
        there = jax.dlpack.from_dlpack(array) if array.size else jnp.asarray(array)
        return there if self._device is None else jax.device_put(there, self._device)

    def finish(self, batch):
        return batch

    def drop(self, batch):
        """Nobody wants it; JAX frees it."""

    def ended(self, loader):
        """Nothing is left to wait for: JAX keeps what its copies read."""
