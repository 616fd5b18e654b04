# SPDX-License-Identifier: Apache-2.0
"""Epochs of batches: what users see."""

import collections
import json
import warnings
import weakref

from headrace import _engine, _options, _transform
from headrace._fields import Ragged, Texts
from headrace._wire import FIELD_BYTES, BadRequest, Connection, HeadraceError

GREETING_SECONDS = 40


class Batch:
    """Samples: arrays that stay as they are for as long as anything refers to them.

    images: array [size, …], as the pipeline makes them, in memory shared with the engine
    labels: int64 [size], class numbers, -1 for none
    ids: uint64 [size], hashes of the samples' keys
    fields: by name, what was asked for with fields=[…]: an array [size, …] where all values have
        one shape; else `Ragged`, offsets and values; `Texts` for text
    size: number of samples
    valid: of these, those that count; others after them repeat one, to fill the batch up
    epoch, index: its place, both from 0
    """

    def __init__(self, images, labels, ids, message, give_back=None, fields=None):
        self.images, self.labels, self.ids = images, labels, ids
        self.fields = fields or {}
        self.size, self.valid = message["size"], message["valid"]
        self.epoch, self.index = message["epoch"], message["index"]
        self._message, self._give_back = message, give_back

    def __iter__(self):
        """Images and labels: `for images, labels in loader`."""
        return iter((self.images, self.labels))

    def __len__(self):
        return self.size

    def __getattr__(self, name):
        if name in ("images", "labels", "ids", "fields"):
            raise HeadraceError("this batch is released: its %s are gone" % name)
        raise AttributeError("a batch has no %r" % name)

    @property
    def keys(self):
        """The samples' keys, such as file names below the dataset: a list of str."""
        if "key" not in self.fields:
            raise HeadraceError("this batch has no keys: make the loader with fields=['key', …]")
        return list(self.fields["key"])

    def __dlpack__(self, **options):
        """The images, for `from_dlpack` of any library, which keeps their memory."""
        return self.images.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.images.__dlpack_device__()

    def copy(self):
        """The same in memory of its own."""
        clone = getattr(self.images, "clone", None)
        arrays = (self.images, self.labels, self.ids)
        arrays = (a.clone() if clone else a.copy() for a in arrays)
        fields = {}
        for name, field in self.fields.items():
            if isinstance(field, (Ragged, Texts)):
                fields[name] = field  # a copy already
            else:
                fields[name] = field.clone() if clone else field.copy()
        return type(self)(*arrays, self._message, fields=fields)

    def __repr__(self):
        if "images" not in self.__dict__:
            return "Batch(released)"
        dtype = str(self.images.dtype).removeprefix("torch.")
        text = "Batch(%d of epoch %d: images %s %s" % (
            self.index, self.epoch, dtype, list(self.images.shape)
        )
        return text + "".join(", " + name for name in ["labels", "ids", *self.fields]) + ")"

    def __reduce__(self):
        return type(self), (self.images, self.labels, self.ids, self._message, None, self.fields)

    def release(self):
        """Drops the arrays; with zero_copy="strict", the engine may fill their memory from now on."""
        if "images" in self.__dict__:
            del self.images, self.labels, self.ids, self.fields
        if self._give_back is not None:
            give_back, self._give_back = self._give_back, None
            give_back()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()


class _OneOrSeveral:
    """Decides what a loader is by what it is made of."""

    def __new__(cls, *args, sources=None, **options):
        if sources is not None and not issubclass(cls, cls._mixture_type):
            if not issubclass(cls._mixture_type, cls):
                raise TypeError("sources= and %s: expected a loader of Headrace itself" % cls.__name__)
            cls = cls._mixture_type  # which is initialised with the same arguments
        return super().__new__(cls)


class Loader(_OneOrSeveral):
    """A dataset, or several, in epochs of batches of NumPy arrays.

    data: image folder, folder of shards, one shard or a pattern; None with `socket` or `sources`
    sources: in place of one dataset, several in exact proportion, such as
        {"photos": 0.7, "drawings": 0.3}; `Mixture` says more
    socket: path of a socket where `headrace serve --socket` waits; else the engine is started. With
        `serve --jobs N` several loaders share an engine that makes each batch once; `seed` or `rank`
        then asks for an order and crops, or a part, of its own
    servers: in place of a dataset: addresses HOST:PORT where `headrace serve --flight` waits, the same
        list for all ranks. They make the batches together; one that goes is done without
    token, tls_roots: what servers ask for, and a PEM file of the certificates to trust
    join: of a shared engine: "now" (the default) takes the rest of the epoch that others are in,
        "whole" waits for the next one
    behind: of a shared engine: "wait" (the default) holds the others up rather than miss a batch,
        "miss" the other way round; `report["missed"]` counts samples
    headrace: the command, if it is neither in the environment variable HEADRACE nor on PATH
    state: where to go on, as `state()` said it, of any number of ranks
    epoch: the first epoch, if there is no state
    zero_copy: True: arrays lie in memory shared with the engine, which does not fill it again while
        anything refers to them; where nearly all of it is in use, batches are copied. "strict":
        never a copy, and an array is valid until the next batch is asked for. False: copies only
    pin_memory: tensors are copied to page-locked memory (headrace.torch)
    batch_size, num_workers, shuffle, drop_last: as for a DataLoader; without shuffle, order= holds,
        and that is a full shuffle if it is not given
    transform: a callable that makes an array of each sample, of the same shape for all, run in
        processes of its own; `transform_workers` says how many, as many as cores if not given
    subset: samples that an epoch has: a random share such as 0.1, a list of numbers or of keys, or
        a text such as "random:100", "first:10%" (the first of each class by name), "keys:FILE"
    weights: how often each comes: numbers, one for each sample in stored order, or "balanced" for
        all classes alike; drawn with replacement, `epoch_samples` or as many as there are
    fields: names of what batches hold beside images and labels, as `headrace inspect` shows them:
        ["mask", "caption", "key"]; "boxes:float32:*x4" or "age:fill=-1" say more
    others: options of `headrace serve`, such as pipeline="train", batch=128, seed=1, rank="0/4",
        on_error="skip", exact=True

    `classes` are the names by label, `class_to_idx` the labels by name, `num_samples` all samples
    of the dataset, `rank` and `world` this rank and how many there are.

    `for batch in loader` is one epoch, the next one each time. Raises BadRequest, BadData (also a
    bad sample, in its place in the order), FileNotFoundError, EngineDied, and HeadraceError, of
    which these are kinds.
    """

    def __init__(
        self,
        data=None,
        *,
        sources=None,
        socket=None,
        servers=None,
        token=None,
        tls_roots=None,
        headrace=None,
        state=None,
        epoch=None,
        join=None,
        behind=None,
        zero_copy=True,
        pin_memory=False,
        transform=None,
        transform_workers=None,
        **options,
    ):
        connecting = "socket" if socket is not None else "servers" if servers is not None else None
        options = self._defaults(options, transform is not None, connecting)
        files = _options.Listed()
        words = _options.words(options, files)
        if zero_copy != "strict":
            zero_copy = _options.boolean("zero_copy", zero_copy, ", or 'strict'")
        self._zero_copy = zero_copy
        if state is not None and epoch is not None:
            raise TypeError("a state says the epoch: expected state or epoch")
        self._epoch = _options.natural("epoch", 0 if epoch is None else epoch)
        if state is not None:
            state, self._epoch = _state(state)
        if (data, socket, servers).count(None) != 2:
            raise ValueError("expected either data or a socket or servers")
        wants = {}
        if socket is not None:
            if headrace is not None or not set(options) <= {"seed", "rank"}:
                raise ValueError("the engine at %s has its options already" % socket)
            wants = _options.wants(words)
        if servers is not None:
            if headrace is not None or not set(options) <= {"seed", "rank", "prefetch"}:
                raise ValueError("the servers have their options already")
        elif token is not None or tls_roots is not None:
            raise TypeError("token= and tls_roots= are for servers: expected servers=")
        if socket is None and (join is not None or behind is not None):
            raise TypeError("join= and behind= are for an engine that is shared: expected socket=")
        self._join = _options.one_of("join", join or "now", ("now", "whole"))
        if _options.one_of("behind", behind or "wait", ("wait", "miss")) == "miss":
            wants["behind"] = "miss"
        self._exact = epoch is not None
        self._prepare(_options.boolean("pin_memory", pin_memory))
        if servers is not None:
            self._engine = _engine.Elsewhere()
        elif socket is not None:
            self._engine = _engine.Neighbour(socket)
        else:
            command = [*_engine.find(headrace), "serve", _engine.dataset(data), "--socket=-", *words]
            self._engine = _engine.Child(command)
        self.hello = None
        limit = None if socket is None else GREETING_SECONDS
        try:
            if servers is not None:
                from headrace import _flight

                self._connection = _flight.connect(servers, words, token, tls_roots)
            else:
                self._connection = Connection(
                    self._engine.socket, self._engine.died, limit, wants, self._may_write()
                )
            self.hello = self._connection.hello
        except BaseException:
            self._engine.end()
            raise
        finally:
            files.close()
            self._engine.greeted(self.hello is not None)
        self._closed, self._end = False, weakref.finalize(self, _finish, self._connection, self._engine)
        self.dtype, self.shape = self.hello["dtype"], tuple(self.hello["shape"])
        self.classes = list(self.hello["classes"])
        self.class_to_idx = {name: number for number, name in enumerate(self.classes)}
        self.num_samples = self.hello["samples"]
        self.rank, self.world = self.hello["rank"], self.hello["world"]
        self._data = data if data is not None else socket if socket is not None else servers
        self._seed = self.hello.get("seed", 0)
        self._transform = None
        if transform is not None:
            self._transform = _transform.Workers(self, transform, transform_workers)
        self.report = None  # of the last epoch that ended
        self.copied = 0  # batches, since the memory for others was in use
        self._batch = self._started = self._state = None
        self._iteration = 0
        self._looked = False
        self._resumed = None  # the run that a state began, until it is over
        self._begun = False
        if state is not None:
            try:
                self._resume(state)
            except BaseException:
                self.close()
                raise

    def _resume(self, state):
        self._begin(self._epoch, state)
        self._resumed, self._begun = self._iteration, True

    def _defaults(self, options, transforming, connecting):
        """Options that this kind of loader has unless they are given."""
        if transforming and not connecting:
            if options.get("pipeline") is None and options.get("plan") is None:
                options = {**options, "pipeline": self._before_transform}
        return options

    def __repr__(self):
        count = self.hello["batches"]
        text = "%s(%r: %s samples" % (type(self).__name__, str(self._data), self.num_samples)
        if self.classes:
            text += " in %d classes" % len(self.classes)
        text += ", %s batches of %d: %s %s" % (
            count if count >= 0 else "unknown", self.hello["batch"], self.dtype, list(self.shape)
        )
        return text + (", rank %d of %d)" % (self.rank, self.world) if self.world > 1 else ")")

    def _may_write(self):
        """Whether users get arrays that lie where the engine writes."""
        return True

    _batch_type = Batch
    _before_transform = "random_resized_crop=224,flip,uint8,hwc"  # what a callable gets, if not said

    def _prepare(self, pin_memory):
        if pin_memory:
            raise BadRequest("pin_memory=True: NumPy has no such memory; headrace.torch has")
        import numpy

        self._numpy = numpy
        self._types = {name: getattr(numpy, name, None) for name in FIELD_BYTES}
        self._types["bool"] = numpy.bool_
        self._types["bfloat16"] = numpy.uint16  # its bits: NumPy has no such type

    def _arrays(self, samples, labels, ids, size):
        """Arrays that look at three pieces of memory."""
        numpy = self._numpy
        images = numpy.frombuffer(samples, self._types[self.dtype]).reshape(size, *self.shape)
        return images, *self._columns(labels, ids)

    def _columns(self, labels, ids):
        numpy = self._numpy
        return numpy.frombuffer(labels, numpy.int64), numpy.frombuffer(ids, numpy.uint64)

    def _array(self, memory, dtype, shape):
        """One array [-1, shape…] that looks at a piece of memory."""
        numpy = self._numpy
        if not len(memory):
            return numpy.empty((0, *shape), self._types[dtype])
        return numpy.frombuffer(memory, self._types[dtype]).reshape(-1, *shape)

    _view = _array

    def _fields(self, message, lent):
        """The batch's fields by name; those that are fixed lie where the images do."""
        connection, fields = self._connection, {}
        for field in connection.fields:
            dtype, shape = field["dtype"], field["shape"]
            if field["kind"] == "fixed":
                made = self._array(connection.fixed(message, field, lent), dtype, shape)
            else:
                offsets, values = connection.ragged(message, field)
                if field["kind"] == "text":
                    made = Texts(offsets, values)
                else:
                    offsets = self._array(offsets, "int64", ())
                    made = Ragged(offsets, self._array(values, dtype, shape))
            fields[field["name"]] = made
        return fields

    def __iter__(self):
        """The next epoch, or the rest of the one that the loader's state is in."""
        if self._begun:
            self._begun = False
            return self._staged(self._batches(self._iteration))
        return self._run(self._epoch)

    def set_epoch(self, number):
        """Makes epoch `number` the next one that `for` gives, as a DistributedSampler's does.

        The rest of that very epoch, if a state said so, stays what is next.
        """
        number = _options.natural("number", number)
        if not (self._begun and self._started["epoch"] == number):
            self._begun, self._resumed, self._epoch = False, None, number
            self._exact = True

    def epoch(self, number):
        """The batches of one epoch, from its start."""
        self._exact = True
        return self._run(_options.natural("number", number))

    def epochs(self, count):
        """So many epochs one after another, each to be iterated over."""
        return (iter(self) for _ in range(_options.natural("count", count)))

    def _run(self, number):
        self._begin(number, None)
        return self._staged(self._batches(self._iteration))

    def _staged(self, batches):
        if self._transform is not None:
            batches = self._ahead(batches, self._transform)
        return batches

    def _ahead(self, batches, stage):
        """Batches of a stage that works on several at a time: `stage.depth` of them.

        What the loader says of its state stays that of the batch which was given last. An error
        comes in its place, after the batches before it.
        """
        going, failure, more = collections.deque(), None, True
        shown = self._state
        try:
            while True:
                while more and len(going) < stage.depth:
                    try:
                        going.append((stage.begin(next(batches)), self._state))
                    except StopIteration:
                        more, last = False, self._state
                    except Exception as error:
                        more, last, failure = False, shown, error
                if not going:
                    self._state = last
                    break
                (work, state), self._state = going.popleft(), shown
                given, work = stage.finish(work), None
                self._state = shown = state
                yield given
                given = None
            if failure is not None:
                raise failure
        finally:
            batches.close()
            for work, _ in going:
                stage.drop(work)
            stage.ended(self)

    def _begin(self, number, state):
        self._check()
        self._drop()
        self._begun, self._resumed = False, None
        self._iteration += 1
        joins = self._connection.shared and state is None and not self._exact
        self._exact = False
        self._started = self._connection.start(number, state, self._join if joins else None)
        self._state = self._started["state"]
        self._epoch = self._started["epoch"] + 1
        if joins and json.loads(self._state)["done"]:
            self._resumed = self._iteration
            warnings.warn(
                "this loader joins others in epoch %d, of which %s of %s batches are left; the next"
                " one is whole (join='whole' waits for it)"
                % (self._started["epoch"], self._started["batches"], self.hello["batches"]),
                stacklevel=4,
            )

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
                self._resumed = None
                if message.get("contradiction"):
                    warnings.warn(message["contradiction"], stacklevel=2)
                return
            yield self._wrap(message)

    def _wrap(self, message):
        connection = self._connection
        labels, ids = connection.columns(message)
        if not self._looked:
            self._look(labels)
        self._state = (self._started["state"], message["done"])
        strict = self._zero_copy == "strict"
        if self._transform is not None:
            return self._transform.take(message, labels, ids, self._fields(message, None))
        # At least one batch must stay the engine's, or nothing would continue.
        if strict or (self._zero_copy and connection.lent() + 1 < self.hello["slots"]):
            samples = connection.lend(message)
            fields = self._fields(message, samples)
        else:
            fields = self._fields(message, None)
            samples = connection.copy(message)
            self._count_copy()
        arrays = self._arrays(samples, labels, ids, message["size"])
        if not strict:
            return self._batch_type(*arrays, message, fields=fields)
        self._batch = self._batch_type(*arrays, message, samples.obj.release, fields)
        return self._batch

    def _look(self, labels):
        self._looked = True
        if len(labels) and max(labels) < 0:
            warnings.warn(
                "none of the first %d samples has a label: their labels are -1" % len(labels),
                stacklevel=4,
            )

    def _count_copy(self):
        self.copied += 1
        if self.copied == 1 and self._zero_copy:
            slots = self.hello["slots"]
            warnings.warn(
                "arrays that are still in use hold %d of the engine's %d batches: while they do,"
                " batches are copied (loader.copied counts them; more of prefetch=%d, and of"
                " memory_budget= where that gives fewer, makes room)"
                % (self._connection.lent(), slots, slots),
                stacklevel=4,
            )

    def _drop(self):
        if self._batch is not None:
            self._batch.release()
            self._batch = None

    def _check(self):
        if self._closed:
            raise HeadraceError("the loader is closed")

    def state(self):
        """Where loading stands after the batch taken last, as a text to keep in a checkpoint.

        Give it to `Loader(state=…)`, of the same seed and order, to go on from there.
        """
        if self._state is None:
            raise HeadraceError("no epoch was begun: there is no state yet")
        if isinstance(self._state, tuple):
            text, done = self._state
            self._state = json.dumps({**json.loads(text), "done": done})
        return self._state

    def state_dict(self):
        """The same as a dict, as `torch.save` and Lightning keep it; before the first batch too."""
        return {"state": None if self._state is None else self.state(), "epoch": self._epoch}

    def load_state_dict(self, kept):
        """Goes on where `state_dict()` was taken: `for` gives the rest of that epoch."""
        if not isinstance(kept, dict) or not {"state", "epoch"} <= set(kept):
            raise BadRequest("expected what a loader's state_dict() says")
        if kept["state"] is None:
            self.set_epoch(kept["epoch"])
        else:
            state, self._epoch = _state(kept["state"])
            self._resume(state)

    def to_tf_dataset(self):
        """A tf.data.Dataset of (images, labels), with a third part by name if there are fields.

        Each iteration over it is the next epoch. TensorFlow copies batches.
        """
        if self._batch_type is not Batch:
            raise BadRequest("to_tf_dataset() is of headrace.Loader, whose arrays are NumPy's")
        from headrace import _tensorflow

        return _tensorflow.dataset(self)

    def __len__(self):
        """Batches of an epoch; for a resumed one, until it is over, those that are left."""
        resumed = self._resumed is not None
        count = self._started["batches"] if resumed else self.hello["batches"]
        if count < 0:
            raise TypeError("only reading tells how many batches there are")
        return count

    def close(self):
        """Ends the engine, if this loader started it. Arrays stay as they are."""
        if self._transform is not None:
            self._transform.close()
        self._closed = True
        self._end()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _state(given):
    """The text of a state, given as text or as its content, and its epoch."""
    try:
        text = given if isinstance(given, str) else json.dumps(given)
        said = json.loads(text)
    except (TypeError, ValueError) as error:
        raise BadRequest("state: not what a loader's state() says: %s" % error) from None
    if not isinstance(said, dict) or not isinstance(said.get("epoch"), int):
        raise BadRequest("state: not what a loader's state() says: it names no epoch")
    return text, said["epoch"]


def _finish(connection, engine):
    connection.close()
    engine.end()
