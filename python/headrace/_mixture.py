# SPDX-License-Identifier: Apache-2.0
"""Several datasets in exact proportion."""

import fractions
import math

from headrace import _options
from headrace._loader import Loader
from headrace._wire import BadRequest, HeadraceError


class Mixture:
    """Batches of several datasets in exact proportion, of NumPy arrays.

    sources: a dict of datasets and weights, such as {"photos": 0.7, "drawings": 0.3}. After any
        number of samples each source has given its share, to within one sample for each source
    batch_size: samples in a batch
    samples: how many are an epoch of the mixture on this rank; if not given, as many as the sources
        have together, divided by the number of ranks
    drop_last: drops a last batch that is not full
    others: as for `Loader`; classes= where the sources' classes differ

    Each source has epochs of its own: it begins its next one when it has given all its samples, in
    the middle of an epoch of the mixture or not; `source_epochs` counts those that ended. The
    samples of a batch are copied once. `state_dict()` and `load_state_dict()` go on anywhere.
    """

    _loader_type = Loader

    def __init__(self, sources, *, batch_size=64, samples=None, drop_last=False, **options):
        if not isinstance(sources, dict) or len(sources) < 1:
            raise TypeError("sources=%r: expected a dict of datasets and weights" % (sources,))
        for name in ("fields", "transform", "state", "epoch", "socket", "batch", "last_batch"):
            if options.get(name) is not None:
                raise BadRequest("%s= and a mixture do not go together" % name)
        self._shares = _shares(sources)
        self.batch_size = _options.natural("batch_size", batch_size)
        if self.batch_size < 1:
            raise BadRequest("batch_size=0: expected 1 or more")
        self._drop_last = _options.boolean("drop_last", drop_last)
        self._sources = []
        try:
            for path, share in zip(sources, self._shares):
                size = max(1, math.ceil(share * self.batch_size))
                self._sources.append(_Source(self._loader_type(path, batch_size=size, **options)))
            first = self._sources[0].loader
            for path, source in zip(sources, self._sources):
                for what in ("classes", "dtype", "shape"):
                    mine, wanted = getattr(source.loader, what), getattr(first, what)
                    if mine != wanted:
                        raise BadRequest(
                            "%s has other %s than %s: expected the same%s"
                            % (path, what, next(iter(sources)), what == "classes" and ", or classes=" or "")
                        )
        except BaseException:
            self.close()
            raise
        self.names = [str(path) for path in sources]
        self.classes, self.class_to_idx = first.classes, first.class_to_idx
        self.dtype, self.shape = first.dtype, first.shape
        self.rank, self.world = first.rank, first.world
        self.num_samples = sum(source.loader.num_samples for source in self._sources)
        if samples is None:
            samples = self.num_samples // self.world
        self.samples = _options.natural("samples", samples)
        if self.samples < 1:
            raise BadRequest("samples=%d: expected 1 or more" % self.samples)
        self._given = [0] * len(self._sources)  # samples, over all epochs
        self._epoch, self._place = 0, 0  # of the next batch: its epoch, and samples before it in that

    @property
    def source_epochs(self):
        """How many epochs of each source have ended, by name."""
        return {name: source.epochs for name, source in zip(self.names, self._sources)}

    def __len__(self):
        """Batches of an epoch, or those that are left of one."""
        left = self.samples - self._place
        return left // self.batch_size if self._drop_last else -(-left // self.batch_size)

    def __repr__(self):
        parts = ", ".join("%r: %s" % (n, float(s)) for n, s in zip(self.names, self._shares))
        return "%s({%s}: %d samples an epoch, batches of %d: %s %s)" % (
            type(self).__name__, parts, self.samples, self.batch_size, self.dtype, list(self.shape)
        )

    def __iter__(self):
        """The next epoch, or the rest of the one that was left."""
        while True:
            size = min(self.batch_size, self.samples - self._place)
            if size == 0 or (self._drop_last and size < self.batch_size):
                self._epoch, self._place = self._epoch + 1, 0
                return
            batch = self._batch(size)
            self._place += size
            yield batch

    def _batch(self, size):
        rows = [[] for _ in self._sources]
        total = sum(self._given)
        for row in range(size):  # to the source that is furthest below its share
            total += 1
            below = [share * total - given for share, given in zip(self._shares, self._given)]
            number = below.index(max(below))
            rows[number].append(row)
            self._given[number] += 1
        made = None
        for source, mine in zip(self._sources, rows):
            while mine:
                piece, message, kind = source.take(len(mine))
                if made is None:
                    made = [_like(array, size) for array in piece]
                now, mine = mine[: len(piece[1])], mine[len(piece[1]) :]
                for whole, part in zip(made, piece):
                    whole[now] = part
        index = self._place // self.batch_size
        return kind(*made, {"size": size, "valid": size, "epoch": self._epoch, "index": index})

    def state_dict(self):
        """Where it stands, after the batch taken last: a dict of numbers and texts."""
        return {
            "mixture": [str(share) for share in self._shares],
            "sources": [source.state() for source in self._sources],
            "given": list(self._given),
            "epoch": self._epoch,
            "place": self._place,
        }

    def load_state_dict(self, kept):
        """Goes on where `state_dict()` was taken, of the same sources, weights and options."""
        if not isinstance(kept, dict) or "mixture" not in kept:
            raise BadRequest("expected what a mixture's state_dict() says")
        if kept["mixture"] != [str(share) for share in self._shares]:
            raise BadRequest("the state is of other weights: expected %s" % kept["mixture"])
        for source, state in zip(self._sources, kept["sources"]):
            source.resume(state)
        self._given = list(kept["given"])
        self._epoch, self._place = kept["epoch"], kept["place"]

    def close(self):
        for source in self._sources:
            source.loader.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class _Source:
    """One dataset, over and over; batches of it that are given in pieces."""

    def __init__(self, loader):
        self.loader, self.epochs = loader, 0
        self._batches = self._batch = None
        self._used, self._before = 0, loader.state_dict()

    def take(self, most):
        """At most so many samples: images, labels and ids."""
        if self._batch is None or self._used == self._batch.size:
            self._next()
        start, self._used = self._used, min(self._batch.size, self._used + most)
        piece = slice(start, self._used)
        arrays = (self._batch.images, self._batch.labels, self._batch.ids)
        return [array[piece] for array in arrays], self._batch._message, type(self._batch)

    def _next(self):
        empty = 0
        self._batch = None
        while self._batch is None:
            if self._batches is None:
                self._before = self.loader.state_dict()
                self._batches = iter(self.loader)
            else:
                self._before = self.loader.state_dict()
            self._batch = next(self._batches, None)
            if self._batch is None:
                self._batches, self.epochs, empty = None, self.epochs + 1, empty + 1
                if empty == 2:
                    raise HeadraceError("%r gives no samples" % self.loader)
        self._used = 0

    def state(self):
        return {"loader": self._before, "used": self._used, "epochs": self.epochs}

    def resume(self, state):
        self.loader.load_state_dict(state["loader"])
        self._batches = self._batch = None
        self.epochs = state["epochs"]
        if state["used"]:
            self._next()
            self._used = state["used"]


def _shares(sources):
    shares = []
    for path, weight in sources.items():
        try:
            share = fractions.Fraction(str(weight))
        except (ValueError, ZeroDivisionError):
            share = None
        if share is None or share <= 0 or isinstance(weight, bool):
            raise BadRequest("weight %r of %s: expected a number above 0" % (weight, path))
        shares.append(share)
    return [share / sum(shares) for share in shares]


def _like(array, size):
    """An array for so many samples."""
    shape = (size, *array.shape[1:])
    if hasattr(array, "new_empty"):
        return array.new_empty(shape)
    import numpy

    return numpy.empty(shape, array.dtype)
