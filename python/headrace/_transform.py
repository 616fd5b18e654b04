# SPDX-License-Identifier: Apache-2.0
"""A Python callable on each sample, in processes of its own that see the engine's memory."""

import collections
import ctypes
import mmap
import multiprocessing
import os
import random
import signal
import time
import traceback
import warnings

from headrace import _options
from headrace._wire import BadRequest, HeadraceError


class Segment:
    """Memory for the results of one batch, which worker processes map by its path."""

    def __init__(self, size):
        descriptor = os.memfd_create("headrace-transform", os.MFD_CLOEXEC)
        try:
            os.posix_fallocate(descriptor, 0, size)
            self.memory = mmap.mmap(descriptor, size)
        except BaseException:
            os.close(descriptor)
            raise
        self.descriptor = descriptor
        self.path = "/proc/%d/fd/%d" % (os.getpid(), descriptor)

    def __del__(self):
        if hasattr(self, "descriptor"):
            os.close(self.descriptor)


def _lent(size):
    """The type of an object over a segment that comes back when nothing refers to it any more."""

    def came_back(self):
        free, segment = self.free, self.segment
        free.append(segment)

    return type("Results", (ctypes.c_ubyte * size,), {"__del__": came_back})


class Workers:
    """The processes, started at the first batch; one `begin` and `finish` a batch, in order."""

    def __init__(self, loader, function, count):
        if not callable(function):
            raise TypeError("transform=%r: expected a callable" % (function,))
        if count is None:
            count = len(os.sched_getaffinity(0))
        elif not 1 <= _options.natural("transform_workers", count) <= 1024:
            raise BadRequest("transform_workers=%d: expected 1 to 1024" % count)
        if loader._zero_copy == "strict":
            raise BadRequest("zero_copy='strict' and transform= do not go together")
        if loader.hello["slots"] < 3:
            raise BadRequest("prefetch=%d: transform= needs 3" % loader.hello["slots"])
        self._function, self._count = function, count
        self._loader = loader
        self.depth = loader.hello["slots"] - 2  # the engine must always have one
        self._processes, self._free = [], collections.deque()
        self._serial, self._answers = 0, {}
        self._dtype = self._shape = self._type = None
        self._clear()

    def _clear(self):
        self._busy = self._waited = 0.0
        self._samples = 0

    def take(self, message, labels, ids, fields):
        """What the loader's generator makes of a message: the samples stay where they are."""
        if self._type is None and message["size"]:
            self._probe(message, ids)
        return message, self._loader._connection.lend(message), labels, ids, fields

    def _probe(self, message, ids):
        """Learns what the results look like from the first sample, then starts the processes."""
        numpy = self._numpy = __import__("numpy")
        connection = self._loader._connection
        start = connection._slot(message)
        copied = bytearray(memoryview(connection.memory)[start : start + connection.sample_bytes])
        sample = self._sample(copied)
        seeds = _Seeds()
        with seeds.kept():
            seeds.set(self._loader._seed, message["epoch"], int(ids[0]))
            made = _array(numpy, _call(self._function, sample, ids[0]))
        if self._loader._types.get(str(made.dtype)) is None:
            raise HeadraceError("transform= made an array of %s, which batches cannot be" % made.dtype)
        self._dtype, self._name, self._shape = made.dtype, str(made.dtype), made.shape
        self._size = max(1, made.nbytes) * self._loader.hello["batch"]
        self._type = _lent(self._size)
        context = multiprocessing.get_context("fork")
        for _ in range(self._count):
            ours, its = context.Pipe()
            process = context.Process(target=self._work, args=(its, ours), daemon=True)
            with warnings.catch_warnings():  # of forking beside the engine's thread, which holds no lock
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
            its.close()
            self._processes.append((process, ours))

    def _sample(self, memory):
        loader = self._loader
        return loader._view(memory, loader.dtype, loader.shape)[0]

    def begin(self, taken):
        message, lent, labels, ids, fields = taken
        count = message["size"]
        segment = self._free.popleft() if self._free else None
        if segment is None and self._type is not None:
            try:
                segment = Segment(self._size)
            except OSError as error:
                raise HeadraceError(
                    "no memory for the results of a batch, %d bytes: %s" % (self._size, error.strerror)
                ) from None
        chunks = []
        self._serial += 1
        if count:
            start = self._loader._connection._slot(message)
            each = -(-count // len(self._processes))
            for (_, pipe), first in zip(self._processes, range(0, count, each)):
                part = list(ids[first : first + each])
                try:
                    pipe.send((self._serial, segment.path, start, first, part, message["epoch"]))
                except OSError:
                    self._died()
                chunks.append((self._serial, pipe))
        return message, lent, labels, ids, fields, segment, chunks

    def finish(self, work):
        message, _, labels, ids, fields, segment, chunks = work
        failure = self._collect(chunks)
        if failure is not None:
            if segment is not None:
                self._free.append(segment)
            raise failure
        count, loader = message["size"], self._loader
        if segment is None:
            results = self._empty()
        else:
            lent = self._type.from_buffer(segment.memory)
            lent.free, lent.segment = self._free, segment
            size = self._size // loader.hello["batch"] * count
            memory = memoryview(lent).cast("B")[:size]
            results = loader._array(memory, self._name, self._shape)
        self._samples += count
        batch = loader._batch_type(results, *loader._columns(labels, ids), message, fields=fields)
        return batch if loader._zero_copy else batch.copy()

    def _empty(self):
        loader = self._loader
        shape = loader.shape if self._shape is None else self._shape
        dtype = loader.dtype if self._dtype is None else self._name
        return loader._array(memoryview(bytearray(0)), dtype, shape)

    def _collect(self, chunks):
        """Waits for the answers about a batch; returns what went wrong, or None."""
        begin, failure = time.perf_counter(), None
        for serial, pipe in chunks:
            while (serial, pipe) not in self._answers:  # those of an epoch that was left may come first
                try:
                    answered, *answer = pipe.recv()
                except (EOFError, OSError):
                    self._died()
                self._answers[answered, pipe] = answer
            said, busy = self._answers.pop((serial, pipe))
            self._busy += busy
            failure = failure or said
        self._waited += time.perf_counter() - begin
        return failure and HeadraceError(failure)

    def _died(self):
        for process, _ in self._processes:
            process.join(0.2)
            if process.exitcode is not None:
                code = process.exitcode
                words = signal.Signals(-code).name if code < 0 else "exit status %d" % code
                raise HeadraceError("a process of transform= ended: %s" % words)
        raise HeadraceError("a process of transform= ended")

    def drop(self, work):
        """Waits for a batch that nobody wants any more, so that answers stay in order."""
        segment, chunks = work[-2:]
        try:
            self._collect(chunks)
        except HeadraceError:
            return
        if segment is not None:
            self._free.append(segment)

    def ended(self, loader):
        """Adds what it cost to the epoch's report."""
        if loader.report is not None and "transform" not in loader.report:
            loader.report["transform"] = {
                "workers": self._count,
                "samples": self._samples,
                "busy_seconds": round(self._busy, 3),
                "waited_seconds": round(self._waited, 3),
            }
        self._clear()

    def close(self):
        for process, pipe in self._processes:
            pipe.close()
        for process, _ in self._processes:
            process.join(2)
            if process.exitcode is None:
                process.terminate()
                process.join(2)
        self._processes = []

    # From here on in a process of its own.

    def _work(self, pipe, parents):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this one
        parents.close()
        for _, other in self._processes:
            other.close()
        seeds, mapped = _Seeds(), {}
        while True:
            try:
                serial, path, start, first, ids, epoch = pipe.recv()
            except (EOFError, OSError):
                os._exit(0)
            begin = time.perf_counter()
            try:
                said = self._chunk(seeds, mapped, path, start, first, ids, epoch)
            except FileNotFoundError:
                os._exit(0)  # the parent has given up
            try:
                pipe.send((serial, said, time.perf_counter() - begin))
            except OSError:
                os._exit(0)

    def _chunk(self, seeds, mapped, path, start, first, ids, epoch):
        numpy, loader = self._numpy, self._loader
        if path not in mapped:
            with open(path, "r+b") as file:
                mapped[path] = mmap.mmap(file.fileno(), self._size)
        results = numpy.frombuffer(mapped[path], self._dtype)
        results = results.reshape(-1, *self._shape)
        connection = loader._connection
        size = connection.sample_bytes
        memory = memoryview(connection.memory)
        for place, sample_id in enumerate(ids, first):
            piece = memory[start + place * size : start + (place + 1) * size]
            if connection.private:  # a callable that writes must not split pages off for ever
                piece = bytearray(piece)
            try:
                seeds.set(loader._seed, epoch, sample_id)
                made = _array(numpy, _call(self._function, self._sample(piece), sample_id))
                if (made.dtype, made.shape) != (self._dtype, self._shape):
                    raise _Failed(
                        "transform= made %s %s of sample %016x, and %s %s of the first one"
                        % (made.dtype, list(made.shape), sample_id, self._dtype, list(self._shape))
                    )
                results[place] = made
            except _Failed as error:
                return str(error)
        return None


class _Failed(HeadraceError):
    """What a callable did wrong."""


def _call(function, sample, sample_id):
    try:
        return function(sample)
    except Exception:
        raise _Failed(
            "transform= failed on sample %016x:\n%s"
            % (int(sample_id) & (2**64 - 1), traceback.format_exc().rstrip())
        ) from None


def _array(numpy, made):
    """The result as an array of NumPy: arrays, tensors, pictures of Pillow, numbers."""
    made = numpy.ascontiguousarray(made).reshape(numpy.shape(made))
    if made.dtype == object:
        raise _Failed("transform= made no array, but %r" % (made.dtype,))
    return made


class _Seeds:
    """Makes draws depend on seed, epoch and sample alone, not on which process they are made in."""

    def __init__(self):
        import sys

        self._numpy = sys.modules.get("numpy")
        self._torch = sys.modules.get("torch")

    def set(self, seed, epoch, sample_id):
        mixed = (seed * 0x9E3779B97F4A7C15 + epoch * 0xBF58476D1CE4E5B9 + sample_id) % 2**64
        mixed = (mixed ^ mixed >> 31) * 0x94D049BB133111EB % 2**64
        mixed ^= mixed >> 29
        random.seed(mixed)
        if self._numpy is not None:
            self._numpy.random.seed(mixed % 2**32)
        if self._torch is not None:
            self._torch.manual_seed(mixed % 2**63)

    def kept(self):
        """Puts the states of this process back afterwards."""
        return _Kept(self._numpy, self._torch)


class _Kept:
    def __init__(self, numpy, torch):
        self._numpy, self._torch = numpy, torch

    def __enter__(self):
        self._plain = random.getstate()
        self._of_numpy = self._numpy and self._numpy.random.get_state()
        self._of_torch = self._torch and self._torch.get_rng_state()

    def __exit__(self, *_):
        random.setstate(self._plain)
        if self._numpy:
            self._numpy.random.set_state(self._of_numpy)
        if self._torch:
            self._torch.set_rng_state(self._of_torch)
