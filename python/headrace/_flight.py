# SPDX-License-Identifier: Apache-2.0
"""Batches from servers on other hosts, by Arrow Flight: the consumer's side of docs/feeding.md.

What comes is copied into memory that is laid out like an engine's, so that everything else is as if
there was one.
"""

import collections
import ctypes
import json
import math
import mmap
import os
import queue
import threading
import time
import weakref

from headrace import _options, _wire
from headrace._wire import BadRequest, Connection, EngineDied, HeadraceError

PROTOCOL = 1
HELLO_SECONDS = 10
PATIENCE_SECONDS = 30  # to look for any server where none is there
PAUSE_SECONDS = 0.5
ALIVE_MILLIS = 10_000
FRAME_BYTES = 64 << 10  # of a batch at once: less work than in pieces of 16 KiB, as HTTP/2 has them
AHEAD = 1  # messages of each server that wait here, beside the one that its thread holds
ALIGNMENT = 64
MASK = 2**64 - 1


def _flight():
    try:
        from pyarrow import flight
    except ImportError as error:
        raise BadRequest(
            "servers= needs pyarrow with Arrow Flight (pip install pyarrow): %s" % error
        ) from None
    return flight


class Host:
    """A server: there, or gone."""

    def __init__(self, address, token, roots):
        if not isinstance(address, str) or not 0 < address.rfind(":") < len(address) - 1:
            raise BadRequest("servers=: %r: expected a text HOST:PORT" % (address,))
        self.address, self.alive, self.last_words = address, False, ""
        self._flight, self._token = _flight(), token
        options = [
            ("grpc.keepalive_time_ms", ALIVE_MILLIS),
            ("grpc.keepalive_timeout_ms", ALIVE_MILLIS),
            ("grpc.http2.ping_timeout_ms", ALIVE_MILLIS),
            ("grpc.http2.max_pings_without_data", 0),  # no limit
            ("grpc.max_reconnect_backoff_ms", 1000),  # else minutes: one that came back must be found
            ("grpc.http2.max_frame_size", FRAME_BYTES),
        ]
        scheme = "grpc+tcp://" if roots is None else "grpc+tls://"
        more = {} if roots is None else {"tls_root_certs": roots}
        try:
            self.client = self._flight.FlightClient(scheme + address, generic_options=options, **more)
        except Exception as error:
            raise BadRequest("server %s: %s" % (address, _words(error))) from None

    def _options(self, timeout=None):
        headers = []
        if self._token is not None:
            headers = [(b"authorization", b"Bearer " + self._token.encode())]
        return self._flight.FlightCallOptions(timeout=timeout, headers=headers)

    def hello(self, request):
        """What the server says of a request, or None if it is gone."""
        action = self._flight.Action("hello", json.dumps(request).encode())
        try:
            (said,) = self.client.do_action(action, self._options(HELLO_SECONDS))
        except Exception as error:
            self.fail(error)
            return None
        answer = json.loads(said.body.to_pybytes())
        if answer["type"] == "error":
            raise _wire._error(answer)
        if answer["protocol"] != PROTOCOL:
            raise EngineDied("server %s speaks protocol %s" % (self.address, answer["protocol"]))
        self.alive = True
        return answer

    def stream(self, request):
        ticket = self._flight.Ticket(json.dumps(request).encode())
        return self.client.do_get(ticket, self._options())

    def fail(self, error):
        """Notes that it is gone, or raises what it refuses."""
        import pyarrow

        refusals = (
            pyarrow.ArrowInvalid,
            pyarrow.ArrowNotImplementedError,
            self._flight.FlightUnauthenticatedError,
            self._flight.FlightUnauthorizedError,
        )
        if isinstance(error, refusals):
            raise BadRequest("server %s: %s" % (self.address, _words(error))) from None
        if not isinstance(error, (pyarrow.ArrowException, OSError)):
            raise error
        self.gone(_words(error))

    def gone(self, words):
        self.alive, self.last_words = False, words


def _words(error):
    """What an error says, without what gRPC says of its insides."""
    text = str(error).partition(". gRPC client debug context")[0].partition("Detail: ")[0]
    return text.splitlines()[0] if text else type(error).__name__


class Lane:
    """The batches `first`, `first` + `step`, … of an epoch, which one server makes, as they come."""

    def __init__(self, host, request, first, step):
        self.host, self.next, self.step, self.counts = host, first, step, None
        self._item, self._stopped = None, threading.Event()
        self._reader = None
        self._came = queue.Queue(AHEAD)
        request = {**request, "first": first, "step": step}
        self._thread = threading.Thread(
            target=_read, args=(weakref.ref(self), host, request, self._came, self._stopped), daemon=True
        )
        self._thread.start()

    def wait(self):
        """The message that comes next and its rows; (None, None) if the server is gone."""
        if self._item is None:
            message, rows = self._came.get()
            if isinstance(message, Exception):
                self.host.fail(message)
                return None, None
            if message is None:
                self.host.gone("it ended a stream without a word")
                return None, None
            if message["type"] == "batch":
                self.next = message["number"]
            self.counts = message.get("counts", self.counts)
            self._item = message, rows
        return self._item

    def taken(self):
        self._item = None
        self.next += self.step

    def close(self):
        self._stopped.set()
        reader = self._reader
        if reader is not None:
            reader.cancel()
        while True:  # a thread that waits to pass something on goes on, and looks
            try:
                self._came.get_nowait()
            except queue.Empty:
                return


def _read(lane, host, request, came, stopped):
    """Passes on what a server sends; in a thread of its own."""

    def put(message, rows=None):
        while not stopped.is_set():
            try:
                return came.put((message, rows), timeout=1)
            except queue.Full:
                if lane() is None:
                    return

    try:
        reader = host.stream(request)
        owner = lane()
        if owner is None or stopped.is_set():
            return reader.cancel()
        owner._reader, owner = reader, None
        while not stopped.is_set() and lane() is not None:
            try:
                chunk = reader.read_chunk()
            except StopIteration:
                return put(None)
            message = json.loads(chunk.app_metadata.to_pybytes())
            put(message, chunk.data)
            if message["type"] != "batch":
                return
    except Exception as error:
        put(error)


class FleetConnection(Connection):
    """As `Connection`, to several servers; any of them may go, and come back at the next epoch."""

    def __init__(self, servers, wants, slots, token, roots):
        if isinstance(servers, (str, bytes)) or not hasattr(servers, "__iter__"):
            raise TypeError("servers=%r: expected a list of texts HOST:PORT" % (servers,))
        if token is not None and not isinstance(token, str):
            raise TypeError("token=%r: expected a text" % (token,))
        content = None
        if roots is not None:
            with open(roots, "rb") as file:
                content = file.read()
        self._hosts = [Host(address, token, content) for address in servers]
        if not self._hosts:
            raise BadRequest("servers=[]: expected HOST:PORT of at least one")
        self._wants, self._lanes, self._request = wants, [], None
        self._same = None
        self._forked, self._run, self._process = False, 0, os.getpid()
        self._lock = threading.Lock()
        self._claims, self._pinned, self._returned = set(), set(), collections.deque()
        self._pipe = None
        self.shared = self.private = False
        said = self._greet({**wants, "epoch": 0})
        self.hello = self._laid_out(said, slots)
        self.fields = self.hello["fields"]
        self.sample_bytes = _sample_bytes(said)
        self._free = set(range(slots))
        self.memory = mmap.mmap(-1, self.hello["bytes"])
        self._view = memoryview(self.memory)
        members = {"__del__": _wire._came_back, "release": _wire._came_back}
        self._slot_type = type("Slot", (ctypes.c_ubyte * self.hello["slot_bytes"],), members)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        _wire._connections.add(self)

    @staticmethod
    def _laid_out(said, slots):
        """The hello of an engine whose memory is this process's."""
        batch = said["batch"]
        end = batch * _sample_bytes(said)
        for field in said["fields"]:
            end = max(end, field["values"] + field["bytes"], field.get("offsets", 0) + 8 * (batch + 1))
        labels = _aligned(end)
        ids = _aligned(labels + 8 * batch)
        size = -(-(ids + 8 * batch) // mmap.PAGESIZE) * mmap.PAGESIZE
        return {
            **said,
            "slots": slots,
            "first_slot": 0,
            "labels": labels,
            "ids": ids,
            "slot_bytes": size,
            "bytes": size * slots,
        }

    def _greet(self, request):
        """What the servers say of a request; all that are there must say the same."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            answers = self._ask(request)
            for host, answer in answers:
                self._require_same(host, answer["same"])
            if answers:
                return answers[0][1]
            if time.monotonic() > deadline:
                raise EngineDied("none of the servers is there: %s" % self._last_words())
            time.sleep(PAUSE_SECONDS)

    def _ask(self, request):
        """The answers of those that are there, each with its server; all are asked at once."""
        said, failures = {}, []

        def ask(host):
            try:
                said[host] = host.hello(request)
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=ask, args=(host,), daemon=True) for host in self._hosts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        return [(host, said[host]) for host in self._hosts if said.get(host)]

    def _require_same(self, host, same):
        if self._same is None:
            self._same = host.address, same
        first, known = self._same
        for name in sorted({*known, *same}):
            if known.get(name) != same.get(name):
                raise BadRequest(
                    "the servers do not serve the same: %s is %r at %s and %r at %s"
                    % (name, known.get(name), first, same.get(name), host.address)
                )

    def _last_words(self):
        return "; ".join("%s: %s" % (host.address, host.last_words) for host in self._hosts)

    def start(self, number, state=None, join=None):
        if self._forked or os.getpid() != self._process:
            raise HeadraceError("the loader belongs to the process that this one forked from")
        self._stop()
        with self._lock:
            self._drain()
            self._run += 1
            self._free = set(range(self.hello["slots"])) - {slot for _, slot in self._claims}
        which = {"epoch": number} if state is None else {"state": state}
        said = self._greet({**self._wants, **which})
        self._request = {**self._wants, "state": said["state"], "next": said["epoch"] + 1}
        self._state = json.loads(said["state"])
        self._left, self._whole = said["left"], said["set_digest"]
        self._index = -(-self._state["done"] // (self.hello["world"] * self.hello["batch"]))
        self._sums, self._set, self._next = {}, 0, None
        self._began = time.monotonic()
        self._divide(0, 1)
        return {
            "type": "started",
            "run": self._run,
            "epoch": said["epoch"],
            "batches": said["left"],
            "state": said["state"],
        }

    def _divide(self, first, step):
        """Asks the servers that are there for batches: each for as many as any other."""
        alive = [host for host in self._hosts if host.alive]
        if not alive:
            time.sleep(PAUSE_SECONDS)  # one that answers, but fails each stream, is not asked all the time
            self._greet(self._request)
            alive = [host for host in self._hosts if host.alive]
        for i in range(len(alive)):
            begin = first + i * step
            if begin < self._left:
                host = alive[(i + self.hello["rank"]) % len(alive)]
                self._lanes.append(Lane(host, self._request, begin, step * len(alive)))

    def receive(self, *types):
        while self._lanes:
            lane = min(self._lanes, key=lambda lane: lane.next)
            expected = lane.next
            message, rows = lane.wait()
            if message is None:
                self._drop(lane)
                self._divide(lane.next, lane.step)
            elif message["type"] == "end":
                self._next = message["state"]
                self._drop(lane)
            elif message["type"] != "batch":
                raise _wire._error(message)
            elif lane.next == expected:  # else others come first
                taken = self._take(message, rows)
                lane.taken()
                return taken
        return self._end()

    def _drop(self, lane):
        self._lanes.remove(lane)
        counts = dict(lane.counts or {})
        self._set += int(counts.pop("set_digest", "0"), 16)
        for name, count in counts.items():
            if isinstance(count, dict):
                sums = self._sums.setdefault(name, {})
                for key, value in count.items():
                    sums[key] = sums.get(key, 0) + value
            else:
                self._sums[name] = self._sums.get(name, 0) + count
        lane.close()

    def _take(self, message, rows):
        """Copies a batch into a slot that nobody looks at."""
        self._flush()
        if not self._free:
            raise HeadraceError("all %d batches are in use" % self.hello["slots"])
        size = message["size"]
        if not rows.num_rows == size <= self.hello["batch"]:
            raise EngineDied("a batch of %d samples in %d rows" % (size, rows.num_rows))
        slot = self._free.pop()
        start = self._address + slot * self.hello["slot_bytes"]
        column, whole = rows.column(0), size * self.sample_bytes
        if (rows.schema.field(0).metadata or {}).get(b"headrace.compression") == b"lz4_raw":
            self._decompress(column, start, size)
        else:
            _copy(column, start, whole)
        _copy(rows.column(1), start + self.hello["labels"], 8 * size)
        _copy(rows.column(2), start + self.hello["ids"], 8 * size)
        for number, field in enumerate(self.fields, 3):
            column, row = rows.column(number), self.row_bytes(field)
            count = size
            if field["kind"] != "fixed":
                offsets = column.buffers()[1]
                count = memoryview(offsets).cast("B")[8 * size : 8 * size + 8].cast("q")[0] if size else 0
                if not 0 <= count * row <= field["bytes"]:
                    raise EngineDied("%d rows of field %s" % (count, field["name"]))
                _move(offsets, start + field["offsets"], 8 * (size + 1))
            _copy(column, start + field["values"], count * row)
        index, self._index = self._index, self._index + 1
        return {
            "type": "batch",
            "run": self._run,
            "slot": slot,
            "epoch": message["epoch"],
            "index": index,
            "size": size,
            "valid": message["valid"],
            "done": message["done"],
        }

    def _decompress(self, column, start, size):
        import pyarrow

        each = self.sample_bytes
        for i in range(size):
            block = column[i].as_buffer()
            _move(pyarrow.decompress(block, each, "lz4_raw"), start + i * each, each)

    def _end(self):
        complete = self._next
        if complete is None:  # there was nothing
            complete = json.dumps({**self._state, "epoch": self._state["epoch"] + 1, "done": 0})
        digest = "%016x" % (self._set & MASK)
        usual = {"delivered": 0, "decoded": 0, "skipped": 0, "substituted": 0, "padded": 0}
        return {
            "type": "end",
            "run": self._run,
            "epoch": self._state["epoch"],
            "state": complete,
            **usual,
            "missing": {},
            "outside": {},
            **self._sums,
            "missed": 0,
            "seconds": time.monotonic() - self._began,
            "digest": "",
            "set_digest": digest,
            "verified": not self._state["done"] and digest == self._whole,
            "contradiction": "",
        }

    def _release(self, claim):
        self._free.add(claim[1])

    def _stop(self):
        for lane in list(self._lanes):
            lane.close()
        self._lanes = []

    def close(self):
        _wire._connections.discard(self)
        if not self._forked:
            threads = [lane._thread for lane in self._lanes]
            self._stop()
            for thread in threads:
                thread.join(1)  # it was cancelled
            for host in self._hosts:
                host.client.close()

    def _after_fork_in_child(self):
        self._socket = _Nothing()
        self._lanes = []  # gRPC's threads are the parent's
        super()._after_fork_in_child()


class _Nothing:
    def close(self):
        pass


def _sample_bytes(hello):
    return math.prod(hello["shape"]) * _wire.BYTES[hello["dtype"]]


def _aligned(size):
    return -(-size // ALIGNMENT) * ALIGNMENT


def _copy(column, to, size):
    """Copies the values of a column, or of what its lists hold."""
    if size:
        _move(column.buffers()[-1], to, size)


def _move(buffer, to, size):
    if buffer is None or buffer.size < size:
        raise EngineDied("%d bytes of a column: expected %d" % (buffer.size if buffer else 0, size))
    ctypes.memmove(to, buffer.address, size)


def connect(servers, words, token, roots):
    """A connection for the options seed, rank and prefetch of a loader."""
    slots = 4
    rest = []
    for word in words:
        name, _, value = word.partition("=")
        if name == "--prefetch":
            slots = int(value)
        else:
            rest.append(word)
    return FleetConnection(servers, _options.wants(rest), slots, token, roots)
