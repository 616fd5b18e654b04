# SPDX-License-Identifier: Apache-2.0
"""Epochs of batches: what users see."""

import json
import os
import warnings
import weakref

from headrace import _engine
from headrace._wire import Connection, HeadraceError

GREETING_SECONDS = 40


class Batch:
    """Samples, in memory that the engine fills again once the batch is released.

    It is released when the loader is asked for the next one. Take `copy()` of what is to stay.

    images: array [size, …], as the pipeline makes them
    labels: int64 [size], class numbers, -1 for none
    ids: uint64 [size], hashes of the samples' keys
    size: number of samples
    valid: of these, those that count; others behind them repeat one, to fill the batch up
    epoch, index: its place, both from 0
    """

    def __init__(self, images, labels, ids, message, give_back):
        self.images, self.labels, self.ids = images, labels, ids
        self.size, self.valid = message["size"], message["valid"]
        self.epoch, self.index = message["epoch"], message["index"]
        self._message, self._give_back = message, give_back

    def __iter__(self):
        """Images and labels: `for images, labels in loader`."""
        return iter((self.images, self.labels))

    def __len__(self):
        return self.size

    def copy(self):
        """The same in memory of its own."""
        clone = getattr(self.images, "clone", None)
        arrays = (self.images, self.labels, self.ids)
        arrays = (a.clone() if clone else a.copy() for a in arrays)
        return type(self)(*arrays, self._message, None)

    def release(self):
        """Gives the memory back to the engine: what is seen through its arrays changes then."""
        if self._give_back is not None:
            give_back, self._give_back = self._give_back, None
            self.images = self.labels = self.ids = None
            give_back(self._message)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()


class Loader:
    """A dataset in epochs of batches of NumPy arrays.

    data: image folder, folder of shards, one shard or a pattern; None with `socket`
    socket: path of a socket where `headrace serve --socket` waits; else the engine is started
    headrace: the command, if it is neither in the environment variable HEADRACE nor on PATH
    state: where to go on, as `state()` said it, of any number of ranks
    epoch: the first epoch, if there is no state
    others: options of `headrace serve`, such as pipeline="train", batch=128, seed=1, rank="0/4",
        on_error="skip", exact=True

    `for batch in loader` is one epoch, the next one each time. Raises BadRequest, BadData (also a
    bad sample, in its place in the order), EngineDied, and HeadraceError, of which these are kinds.
    """

    def __init__(self, data=None, *, socket=None, headrace=None, state=None, epoch=0, **options):
        self._prepare()
        if (data is None) == (socket is None):
            raise ValueError("expected either data or a socket")
        if socket is not None:
            if options or headrace is not None:
                raise ValueError("the engine at %s has its options already" % socket)
            self._engine = _engine.Neighbour(socket)
        else:
            command = _engine.find(headrace)
            command += ["serve", os.fspath(data), "--socket", "-", *_engine.options(options)]
            self._engine = _engine.Child(command)
        limit = None if socket is None else GREETING_SECONDS
        try:
            self._connection = Connection(self._engine.socket, self._engine.died, limit)
        except BaseException:
            self._engine.end()
            raise
        self._end = weakref.finalize(self, _finish, self._connection, self._engine)
        self.hello = self._connection.hello
        self.dtype, self.shape = self.hello["dtype"], tuple(self.hello["shape"])
        self.classes = list(self.hello["classes"])
        self.report = None  # of the last epoch that ended
        self._batch = self._started = None
        self._iteration = 0
        self._state = None
        self._resume, self._epoch = state, epoch
        if state is not None:
            self._state = state if isinstance(state, str) else json.dumps(state)
            self._resume = self._state
            self._epoch = json.loads(self._state)["epoch"]

    def _prepare(self):
        import numpy

        self._numpy = numpy
        self._types = {
            "uint8": numpy.uint8,
            "float16": numpy.float16,
            "bfloat16": numpy.uint16,  # its bits: NumPy has no such type
            "float32": numpy.float32,
        }

    def _arrays(self, samples, labels, ids, size):
        """Arrays that look at three pieces of memory."""
        numpy = self._numpy
        images = numpy.frombuffer(samples, self._types[self.dtype]).reshape(size, *self.shape)
        return images, numpy.frombuffer(labels, numpy.int64), numpy.frombuffer(ids, numpy.uint64)

    def __iter__(self):
        """The next epoch, or the rest of the one that the loader's state is in."""
        state, self._resume = self._resume, None
        return self._run(self._epoch, state)

    def epoch(self, number):
        """The batches of one epoch, from its start."""
        self._resume = None
        return self._run(number, None)

    def epochs(self, count):
        """So many epochs one after another, each to be iterated over."""
        for _ in range(count):
            yield iter(self)

    def _run(self, number, state):
        self._check()
        self._drop()
        self._iteration += 1
        mine = self._iteration
        self._started = self._connection.start(number, state)
        self._state = self._started["state"]
        self._epoch = self._started["epoch"] + 1
        return self._batches(mine)

    def _batches(self, mine):
        connection = self._connection
        while True:
            if mine != self._iteration:
                raise HeadraceError("another epoch of this loader was begun")
            self._check()
            self._drop()
            message = connection.receive("batch", "end")
            if message["type"] == "end":
                self.report = message
                self._state = message["state"]
                if message.get("contradiction"):
                    warnings.warn(message["contradiction"], stacklevel=2)
                return
            self._batch = self._wrap(message)
            yield self._batch

    def _wrap(self, message):
        connection = self._connection
        arrays = self._arrays(
            connection.samples(message),
            connection.labels(message),
            connection.ids(message),
            message["size"],
        )
        self._state = (self._started["state"], message["done"])
        return Batch(*arrays, message, connection.release)

    def _drop(self):
        if self._batch is not None:
            self._batch.release()
            self._batch = None

    def _check(self):
        if not self._end.alive:
            raise HeadraceError("the loader is closed")

    def state(self):
        """Where loading stands behind the batch taken last, as a text to keep in a checkpoint.

        Give it to `Loader(state=…)`, of the same seed and order, to go on from there.
        """
        if self._state is None:
            raise HeadraceError("no epoch was begun: there is no state yet")
        if isinstance(self._state, tuple):
            text, done = self._state
            self._state = json.dumps({**json.loads(text), "done": done})
        return self._state

    def __len__(self):
        """Batches of a whole epoch."""
        if self.hello["batches"] < 0:
            raise TypeError("only reading tells how many batches there are")
        return self.hello["batches"]

    def close(self):
        """Ends the engine, if this loader started it. Arrays stay readable."""
        self._end()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _finish(connection, engine):
    connection.close()
    engine.end()
