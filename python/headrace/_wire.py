# SPDX-License-Identifier: Apache-2.0
"""The consumer's side of docs/wire.md, with the standard library alone."""

import collections
import ctypes
import errno
import json
import math
import mmap
import os
import select
import socket
import struct
import sys
import threading
import weakref

PROTOCOL = 1
MAX_RECEIVED = 4 << 20  # bytes of one message
LENGTH = struct.Struct("<I")
RELEASE = b'{"type":"release","run":%d,"slot":%d}'
DECODER = json.JSONDecoder()
NO_MATCH = "no input files match "  # of a pattern, and then it
MAP_FIXED = 16  # on every Linux
FORK_SECONDS = 10  # for a child to copy what it has inherited
MAGIC = b"HEADRACE"
HEADER = struct.Struct("<8sII16s")
FIELD_BYTES = {
    "bool": 1, "uint8": 1, "int8": 1, "uint16": 2, "int16": 2, "float16": 2, "bfloat16": 2,
    "uint32": 4, "int32": 4, "float32": 4, "uint64": 8, "int64": 8, "float64": 8,
}
BYTES = {"uint8": 1, "float16": 2, "bfloat16": 2, "float32": 4}


class HeadraceError(Exception):
    """What the engine says went wrong."""


class BadRequest(HeadraceError, ValueError):
    """A request that cannot work: an option, a state, too little memory."""


class BadData(HeadraceError):
    """A sample that cannot be delivered.

    `fault` is its kind, `reason` what was found and expected; its place is `file`, `record` (its
    number, or -1), `key` (or an empty text) and `offset` (in bytes, or -1).
    """

    def __init__(self, message):
        super().__init__(message["message"])
        self.fault, self.reason = message["fault"], message["reason"]
        self.file, self.record = message["file"], message["record"]
        self.key, self.offset = message["key"], message["offset"]


class Missing(HeadraceError, FileNotFoundError):
    """There is no such file or folder."""


class Denied(HeadraceError, PermissionError):
    """A file or folder that may not be read."""


class EngineDied(HeadraceError):
    """The engine ended, or broke the protocol.

    `status` is its exit status, negative for a signal, or None if it is not this process's child.
    """

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


def _error(message):
    kind = message.get("kind")
    if kind == "data":
        return BadData(message)
    text = message.get("message", "no reason given")
    file = message.get("file", "")
    if kind == "missing":
        return Missing(errno.ENOENT, text.removesuffix(": " + file), file)
    if kind == "denied":
        return Denied(errno.EACCES, text.removesuffix(": " + file), file)
    if kind == "config" and text.startswith(NO_MATCH):
        return Missing(errno.ENOENT, NO_MATCH.strip(), text[len(NO_MATCH) :])
    return BadRequest(text) if kind == "config" else HeadraceError(text)


_connections = weakref.WeakSet()
_forking = []  # connections whose arrays the fork under way copies


def _before_fork():
    _forking.extend(_connections)
    for connection in _forking:
        connection._before_fork()


def _in_parent():
    while _forking:
        _forking.pop()._after_fork_in_parent()


def _in_child():
    while _forking:
        _forking.pop()._after_fork_in_child()


os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)


def _came_back(slot):
    claim, slot.claim = slot.claim, None
    if claim is not None:
        slot.give_back(claim)


class Connection:
    """Messages over a connected socket, and the memory that they are about.

    `on_end()` makes the exception for an engine that is gone. `wants` is what an engine that several
    consumers share may be asked for. Memory that others see too is mapped so that what is written
    here stays here, unless `private` is False and nothing is written.
    """

    def __init__(self, connected, on_end, timeout=None, wants=None, private=True):
        if sys.byteorder != "little":
            raise HeadraceError("batches are little-endian, and this machine is not")
        self._socket, self._on_end, self._forked = connected, on_end, False
        self._received, self._read, self._run = b"", 0, 0  # bytes, how many of them were read
        self._lock = threading.Lock()  # of what is sent, and of the three below
        self._claims = set()  # (run, slot) of batches that something here refers to
        self._returned = collections.deque()  # claims to give back, by any thread
        self._pinned = set()  # claims that a fork's child may refer to: never given back
        self._pipe = None
        _connections.add(self)
        self._socket.settimeout(timeout)
        try:
            self.send(type="hello", protocol=PROTOCOL, **(wants or {}))
            self.hello = self.receive("hello")
            self.shared = bool(self.hello.get("shared"))
            if wants and not self.shared:
                raise BadRequest(
                    "%s: the engine has its options already, and serves one consumer at a time"
                    " (headrace serve --jobs N shares it)" % ", ".join("%s=" % name for name in wants)
                )
            self.private = self.shared and private
            self.memory = self._map()
            self._view = memoryview(self.memory)
            size = self.hello["slot_bytes"]
            members = {"__del__": _came_back, "release": _came_back}
            self._slot_type = type("Slot", (ctypes.c_ubyte * size,), members)
            self.send(type="mapped")
        except socket.timeout:
            raise EngineDied("the engine says nothing for %g s" % timeout) from None
        self._socket.settimeout(None)

    def _map(self):
        hello = self.hello
        try:
            if hello["protocol"] != PROTOCOL or hello["byte_order"] != "little":
                raise EngineDied("the engine speaks protocol %s" % hello["protocol"])
            self.sample_bytes = math.prod(hello["shape"]) * BYTES[hello["dtype"]]
            slot = hello["batch"] * self.sample_bytes
            ends = (
                slot <= hello["labels"],
                hello["labels"] + 8 * hello["batch"] <= hello["ids"],
                hello["ids"] + 8 * hello["batch"] <= hello["slot_bytes"],
                hello["first_slot"] + hello["slots"] * hello["slot_bytes"] <= hello["bytes"],
            )
            self.fields = hello.get("fields", [])
            for field in self.fields:
                size = field["bytes"]
                if field["kind"] == "fixed":
                    size = hello["batch"] * self.row_bytes(field)
                ends += (slot <= field["values"], field["values"] + size <= hello["labels"])
                if field["kind"] != "fixed":
                    end = field["offsets"] + 8 * (hello["batch"] + 1)
                    ends += (field["values"] + size <= field["offsets"], end <= hello["labels"])
            if not all(ends):
                raise EngineDied("the engine's slots do not fit into its memory")
            with open(hello["memory"], "r+b") as file:
                access = mmap.ACCESS_COPY if self.private else mmap.ACCESS_WRITE
                memory = mmap.mmap(file.fileno(), hello["bytes"], access=access)
        except (KeyError, TypeError) as error:
            raise EngineDied("the engine's hello makes no sense: %r" % error) from None
        except (OSError, ValueError) as error:
            raise EngineDied(
                "the engine's memory %s cannot be mapped: %s (expected an engine of the same user"
                " that sees the same processes)" % (hello["memory"], error)
            ) from None
        magic, version, _, token = HEADER.unpack_from(memory)
        if (magic, version, token.hex()) != (MAGIC, 1, hello["token"]):
            raise EngineDied("%s is not the engine's memory" % hello["memory"])
        return memory

    def send(self, **message):
        """Sends a message. An engine that is gone shows when something is received."""
        with self._lock:
            self._write(json.dumps(message).encode())
        self._flush()

    def _write(self, body):
        try:
            self._socket.sendall(LENGTH.pack(len(body)) + body)
        except (BrokenPipeError, ConnectionResetError):
            pass
        except OSError:
            if self._socket.fileno() >= 0:  # else it is closed
                raise

    def _release(self, claim):
        self._write(RELEASE % claim)

    def receive(self, *types):
        """Waits for a message of one of the types; those about earlier runs are ignored."""
        while True:
            message = self._next()
            kind = message.get("type")
            if kind == "error" and message.get("run") in (-1, self._run):
                raise _error(message)
            if kind != "error" and message.get("run", self._run) == self._run:
                if kind not in types:
                    raise EngineDied("a message %r: expected %s" % (kind, " or ".join(types)))
                return message

    def _next(self):
        place = self._take(LENGTH.size)
        (length,) = LENGTH.unpack_from(self._received, place)
        if not 2 <= length <= MAX_RECEIVED:
            raise EngineDied("a message of %d bytes" % length)
        place = self._take(length)
        try:
            text = str(self._received[place : place + length], "utf-8")
            message, end = DECODER.raw_decode(text)
            if end < len(text):
                raise ValueError("more after it")
        except ValueError as error:
            raise EngineDied("a message that is not JSON: %s" % error) from None
        if not isinstance(message, dict):
            raise EngineDied("a message that is not a JSON object")
        return message

    def _take(self, count):
        """Waits for so many bytes more; returns where they begin in `_received`."""
        while len(self._received) - self._read < count:
            if self._forked:
                raise HeadraceError("the loader belongs to the process that this one forked from")
            try:
                more = self._socket.recv(65536)
            except ConnectionResetError:
                more = b""
            if not more:
                raise self._on_end()
            left = self._received[self._read :]
            self._received, self._read = left + more if left else more, 0
        place = self._read
        self._read += count
        return place

    def start(self, number, state=None, join=None):
        """Asks for an epoch, which ends the one before; returns the message `started`.

        The next epoch is announced. Slots that are lent stay lent. `join` says whether another epoch
        will do if others are in one: what is left of it ("now"), or the next one ("whole").
        """
        with self._lock:
            self._drain()
            self._run += 1
            which = {"number": number} if state is None else {"state": state}
            if join is not None:
                which["join"] = join
            kept = sorted(slot for _, slot in self._claims)
            asked = {"type": "epoch", "run": self._run, "next": number + 1, "kept": kept, **which}
            self._write(json.dumps(asked).encode())
        self._flush()
        return self.receive("started")

    def lend(self, message):
        """The samples of a message `batch`, as writable bytes.

        Its slot is given back once nothing refers to them any more, however many epochs later.
        """
        slot = self._slot_type.from_buffer(self.memory, self._slot(message))
        slot.give_back, slot.claim = self.give_back, (message["run"], message["slot"])
        self._claims.add(slot.claim)
        return memoryview(slot).cast("B")[: self._bytes(message)]

    def copy(self, message):
        """The samples of a message `batch` in memory of their own; its slot is given back."""
        start = self._slot(message)
        copied = bytearray(self._view[start : start + self._bytes(message)])
        self.give_back((message["run"], message["slot"]))
        return memoryview(copied)

    @staticmethod
    def row_bytes(field):
        """Bytes of a fixed field's value, or of one row of a ragged one."""
        return math.prod(field["shape"]) * FIELD_BYTES[field["dtype"]]

    def fixed(self, message, field, lent=None):
        """The values of a fixed field: a view of what was lent, or a copy."""
        size = message["size"] * self.row_bytes(field)
        if lent is not None:
            return memoryview(lent.obj).cast("B")[field["values"] : field["values"] + size]
        start = self._slot(message) + field["values"]
        return memoryview(bytearray(self._view[start : start + size]))

    def ragged(self, message, field):
        """Copies of the offsets and of the values of a field that is not fixed."""
        slot, memory = self._slot(message), self._view
        start = slot + field["offsets"]
        offsets = memoryview(bytearray(memory[start : start + 8 * (message["size"] + 1)]))
        size = offsets.cast("q")[-1] * self.row_bytes(field)
        if not 0 <= size <= field["bytes"]:
            raise EngineDied("%d bytes of field %s" % (size, field["name"]))
        start = slot + field["values"]
        return offsets, memoryview(bytearray(memory[start : start + size]))

    def _bytes(self, message):
        return message["size"] * self.sample_bytes

    def lent(self):
        """Slots that are still referred to here."""
        return len(self._claims)

    def give_back(self, claim):
        """Gives a slot back. For any thread, at any time, since a finalizer may run anywhere."""
        self._returned.append(claim)
        self._flush()

    def _flush(self):
        # The holder of the lock, perhaps further up in this very thread, looks again afterwards.
        while self._returned and self._lock.acquire(blocking=False):
            try:
                self._drain()
            finally:
                self._lock.release()

    def _drain(self):
        while self._returned:
            claim = self._returned.popleft()
            if claim not in self._pinned:
                self._claims.discard(claim)
                if self.private:  # what was written here is forgotten, and the engine's is seen again
                    self.memory.madvise(mmap.MADV_DONTNEED, *self._pages(claim[1]))
                if not self._forked:
                    self._release(claim)

    def columns(self, message):
        """Copies of the class numbers of the samples, int64, -1 for none, and of their identities,
        hashes of their keys, uint64."""
        start, size = self._slot(message), 8 * message["size"]
        labels, ids = self.hello["labels"], self.hello["ids"]
        both = memoryview(bytearray(self._view[start + labels : start + ids + size]))
        return both[:size].cast("q"), both[ids - labels :].cast("Q")

    def _slot(self, message):
        slot, size = message["slot"], message["size"]
        if not (0 <= slot < self.hello["slots"] and 0 <= size <= self.hello["batch"]):
            raise EngineDied("a batch of %r samples in slot %r" % (size, slot))
        return self.hello["first_slot"] + slot * self.hello["slot_bytes"]

    def close(self):
        """Ends it. What was lent stays as it is: nobody fills memory without a consumer.

        Memory that others go on with is filled again, so that what was lent is copied.
        """
        _connections.discard(self)
        if self.private and not self._forked:
            with self._lock:
                for _, slot in self._claims:
                    self._make_private(slot)
                self.private = False
        self._socket.close()

    # A child that is forked sees the same memory, and arrays of this process. It copies what these
    # refer to before anything is given back; until it has, this process waits.

    def _before_fork(self):
        self._locked = self._lock.acquire(timeout=1)
        self._pipe = None
        if self._claims:
            try:
                self._pipe = os.pipe()
            except OSError:
                self._pinned |= self._claims

    def _after_fork_in_parent(self):
        if self._pipe is not None:
            told, tell = self._pipe
            os.close(tell)
            ready, _, _ = select.select([told], [], [], FORK_SECONDS)
            if not ready or not os.read(told, 1):
                self._pinned |= self._claims  # nobody knows what the child looks at
            os.close(told)
        if self._locked:
            self._lock.release()
        self._flush()

    def _after_fork_in_child(self):
        # A copy of the socket would keep the engine waiting for a consumer that is gone.
        self._socket.close()
        self._forked, self._lock = True, threading.Lock()
        if self._pipe is not None:
            told, tell = self._pipe
            os.close(told)
            try:
                for _, slot in self._claims:
                    self._make_private(slot)
                os.write(tell, b"1")
            finally:
                os.close(tell)

    def _pages(self, slot):
        """Start and size of the pages that a slot lies in."""
        page = mmap.PAGESIZE
        start = (self.hello["first_slot"] + slot * self.hello["slot_bytes"]) // page * page
        end = self.hello["first_slot"] + (slot + 1) * self.hello["slot_bytes"]
        return start, min(-(-end // page) * page, -(-len(self.memory) // page) * page) - start

    def _make_private(self, slot):
        """Puts memory of this process alone, with the same content, where a slot lies."""
        address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        start, size = self._pages(slot)
        content = self.memory[start : start + size]
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + 3 * [ctypes.c_int] + [ctypes.c_long]
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_FIXED
        access = mmap.PROT_READ | mmap.PROT_WRITE
        if libc.mmap(address + start, size, access, flags, -1, 0) != address + start:
            raise OSError(ctypes.get_errno(), "mmap")
        self.memory[start : start + len(content)] = content
