# SPDX-License-Identifier: Apache-2.0
"""Several datasets in exact proportion."""

import array
import fractions
import itertools
import json
import math

from headrace import _options
from headrace._fields import Ragged, Texts
from headrace._loader import Loader
from headrace._wire import BadRequest, HeadraceError


class Mixture(Loader):
    """Batches of several datasets in exact proportion: what `Loader(sources={…})` makes.

    sources: a dict of datasets and weights, such as {"photos": 0.7, "drawings": 0.3}. After any
        number of samples each source has given its share, to within one sample for each source
    samples: how many are an epoch of the mixture on this rank; if not given, as many as the sources
        have together, divided by the number of ranks
    state, batch_size, drop_last and others: as for `Loader`, for each source alike; classes= where
        the sources' classes differ

    Each source has epochs of its own: it begins its next one when it has given all its samples, in
    the middle of an epoch of the mixture or not; `source_epochs` counts those that ended, and
    `report["sources"]` has the report of the last one. The samples of a batch are copied once.
    `state_dict()` and `load_state_dict()` go on anywhere.
    """

    _source_type = Loader

    def __init__(
        self,
        data=None,
        *,
        sources=None,
        batch_size=None,
        batch=None,
        samples=None,
        drop_last=False,
        state=None,
        **options,
    ):
        if sources is None:
            data, sources = None, data
        if data is not None or options.get("socket") is not None:
            raise ValueError("expected either data, a socket or sources")
        if not isinstance(sources, dict) or len(sources) < 1:
            raise TypeError("sources=%r: expected a dict of datasets and weights" % (sources,))
        for name, instead in (
            ("epoch", "state= says where to go on"),
            ("last_batch", "drop_last= says whether a last batch that is not full is dropped"),
        ):
            if options.get(name) is not None:
                raise BadRequest("%s= and sources= do not go together: %s" % (name, instead))
        given = [size for size in (batch_size, batch) if size is not None]
        if len(given) == 2:
            raise TypeError("batch_size and batch are the same: expected one of them")
        self.batch_size = _options.natural("batch_size", given[0] if given else 64)
        if self.batch_size < 1:
            raise BadRequest("batch_size=0: expected 1 or more")
        self._shares = _shares(sources)
        self._whole = math.lcm(*(share.denominator for share in self._shares))
        self._parts = [int(share * self._whole) for share in self._shares]
        self._drop_last = _options.boolean("drop_last", drop_last)
        self._sources = []
        try:
            for path, share in zip(sources, self._shares):
                size = max(1, math.ceil(share * self.batch_size))
                self._sources.append(_Source(self._source_type(path, batch_size=size, **options)))
            first = self._sources[0].loader
            for path, source in zip(sources, self._sources):
                for what, wanted in _looks(first).items():
                    if _looks(source.loader)[what] != wanted:
                        raise BadRequest(
                            "%s has other %s than %s: expected the same%s"
                            % (path, what, next(iter(sources)), what == "classes" and ", or classes=" or "")
                        )
            self.names = [str(path) for path in sources]
            self.hello, self._transform = first.hello, first._transform
            self.classes, self.class_to_idx = first.classes, first.class_to_idx
            self.dtype, self.shape = first.dtype, first.shape
            self.rank, self.world = first.rank, first.world
            counts = [source.loader.num_samples for source in self._sources]
            self.num_samples = -1 if min(counts) < 0 else sum(counts)  # -1: only reading tells
            if samples is None:
                if min(counts) < 0:
                    raise BadRequest("only reading tells how many samples there are: expected samples=")
                samples = self.num_samples // self.world
            self.samples = _options.natural("samples", samples)
            if self.samples < 1:
                raise BadRequest("samples=%d: expected 1 or more" % self.samples)
            self.report = None  # of the last epoch that ended
            self._given = [0] * len(self._sources)  # samples, over all epochs
            self._epoch, self._place = 0, 0  # of the next batch: its epoch, and samples before it
            if state is not None:
                self.load_state_dict(state)
        except BaseException:
            self.close()
            raise

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
                reports = {name: s.loader.report for name, s in zip(self.names, self._sources)}
                self.report = {"epoch": self._epoch, "delivered": self._place, "sources": reports}
                self._epoch, self._place = self._epoch + 1, 0
                return
            batch = self._mixed(size)
            self._place += size
            yield batch

    def epoch(self, number):
        """The batches of one epoch, which has to be the next one."""
        self.set_epoch(number)
        if self._place:
            raise BadRequest("epoch %d: %d of its samples were taken" % (number, self._place))
        return iter(self)

    def set_epoch(self, number):
        """Says that an epoch is the next one, as loops do; one that was left is over then."""
        if _options.natural("number", number) == self._epoch + 1 and self._place:
            self._epoch, self._place = number, 0
        elif number != self._epoch:
            raise BadRequest(
                "epoch %d: sources go on over epochs, and are at epoch %d; load_state_dict() goes"
                " elsewhere" % (number, self._epoch)
            )

    def _mixed(self, size):
        rows, total, given = [[] for _ in self._sources], sum(self._given), self._given
        numbers = range(len(rows))
        for row in range(size):  # to the source that is furthest below its share
            total += 1
            number = max(numbers, key=lambda n: self._parts[n] * total - given[n] * self._whole)
            rows[number].append(row)
            given[number] += 1
        made = _Rows(size)
        for source, mine in zip(self._sources, rows):
            while mine:
                batch, start, count = source.take(len(mine))
                made.put(mine[:count], batch, start)
                mine = mine[count:]
        index = self._place // self.batch_size
        return made.batch({"size": size, "valid": size, "epoch": self._epoch, "index": index})

    def state(self):
        """The same as a text, as `Loader(sources=…, state=…)` takes it too."""
        return json.dumps(self.state_dict())

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
        try:
            kept = json.loads(kept) if isinstance(kept, str) else kept
        except ValueError:
            kept = None
        if not isinstance(kept, dict) or "mixture" not in kept:
            raise BadRequest("expected what a mixture's state_dict() says")
        if kept["mixture"] != [str(share) for share in self._shares]:
            raise BadRequest("the state is of other weights: expected %s" % kept["mixture"])
        for source, state in zip(self._sources, kept["sources"]):
            source.resume(state)
        self._given = list(kept["given"])
        self._epoch, self._place = kept["epoch"], kept["place"]

    @property
    def copied(self):
        """How often a source had to copy a batch, since the memory for others was in use."""
        return sum(source.loader.copied for source in self._sources)

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
        """At most so many samples: a batch, the number of the first in it, and how many."""
        if self._batch is None or self._used == self._batch.size:
            self._next()
        start, self._used = self._used, min(self._batch.size, self._used + most)
        return self._batch, start, self._used - start

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


def _looks(loader):
    """What sources have to agree in."""
    fields = loader.hello.get("fields", [])
    return {
        "classes": loader.classes,
        "dtype": loader.dtype,
        "shape": loader.shape,
        "fields": [(f["name"], f["kind"], f["dtype"], f["shape"]) for f in fields],
    }


class _Rows:
    """A batch in the making, of rows that lie in several others."""

    def __init__(self, size):
        self._size, self._kind = size, None
        self._arrays, self._ragged = {}, {}  # by name, a field's after None

    def put(self, rows, batch, start):
        """Copies as many samples as there are rows, from one on."""
        self._kind = type(batch)
        parts = {(name,): getattr(batch, name) for name in ("images", "labels", "ids")}
        parts.update({(None, name): field for name, field in batch.fields.items()})
        for name, part in parts.items():
            if isinstance(part, (Ragged, Texts)):
                values = self._ragged.setdefault(name, (part, [None] * self._size))[1]
                ends = part.offsets[start : start + len(rows) + 1].tolist()
                for row, begin, end in zip(rows, ends, ends[1:]):
                    values[row] = part.values[begin:end]
                continue
            if name not in self._arrays:
                self._arrays[name] = _like(part, self._size)
            whole, part = self._arrays[name], part[start : start + len(rows)]
            if part.shape[1:] != whole.shape[1:]:
                shapes = list(whole.shape[1:]), list(part.shape[1:])
                raise HeadraceError("sources give samples of %s and of %s: expected one shape" % shapes)
            whole[rows] = part

    def batch(self, message):
        made = {**self._arrays, **{n: _joined(*found) for n, found in self._ragged.items()}}
        arrays = (made.pop((name,)) for name in ("images", "labels", "ids"))
        return self._kind(*arrays, message, fields={name: field for (_, name), field in made.items()})


def _joined(like, values):
    """One `Ragged` or `Texts` of the values of all samples."""
    ends = list(itertools.accumulate(map(len, values), initial=0))
    if isinstance(like, Texts):
        return Texts(array.array("q", ends), b"".join(values))
    offsets, whole = _like(like.offsets, len(ends)), _like(like.values, ends[-1])
    for number, end in enumerate(ends):
        offsets[number] = end
    for begin, end, value in zip(ends, ends[1:], values):
        whole[begin:end] = value
    return Ragged(offsets, whole)


def _like(array, size):
    """An array for so many samples."""
    shape = (size, *array.shape[1:])
    if hasattr(array, "new_empty"):
        return array.new_empty(shape)
    import numpy

    return numpy.empty(shape, array.dtype)


Loader._mixture_type = Mixture
