# SPDX-License-Identifier: Apache-2.0
"""The consumer's side of docs/wire.md, with the standard library alone."""

import json
import mmap
import os
import socket
import struct
import sys
import weakref

PROTOCOL = 1
MAX_RECEIVED = 4 << 20  # bytes of one message
MAGIC = b"HEADRACE"
HEADER = struct.Struct("<8sII16s")
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


class EngineDied(HeadraceError):
    """The engine ended, or what came from it makes no sense.

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
    return BadRequest(text) if kind == "config" else HeadraceError(text)


_connections = weakref.WeakSet()


def _forget_in_child():
    # A fork's copy of the socket would keep the engine waiting for a consumer that is gone.
    for connection in list(_connections):
        connection._socket.close()
        connection._forked = True


os.register_at_fork(after_in_child=_forget_in_child)


class Connection:
    """Messages over a connected socket, and the memory that they are about.

    `on_end()` makes the exception for an engine that is gone.
    """

    def __init__(self, connected, on_end, timeout=None):
        if sys.byteorder != "little":
            raise HeadraceError("batches are little-endian, and this machine is not")
        self._socket, self._on_end, self._forked = connected, on_end, False
        self._buffer, self._run = bytearray(), 0
        _connections.add(self)
        self._socket.settimeout(timeout)
        try:
            self.send(type="hello", protocol=PROTOCOL)
            self.hello = self.receive("hello")
            self.memory = self._map()
            self.send(type="mapped")
        except socket.timeout:
            raise EngineDied("the engine says nothing for %g s" % timeout) from None
        self._socket.settimeout(None)

    def _map(self):
        hello = self.hello
        try:
            if hello["protocol"] != PROTOCOL or hello["byte_order"] != "little":
                raise EngineDied("the engine speaks protocol %s" % hello["protocol"])
            slot = hello["batch"] * BYTES[hello["dtype"]]
            for extent in hello["shape"]:
                slot *= extent
            ends = (
                slot <= hello["labels"],
                hello["labels"] + 8 * hello["batch"] <= hello["ids"],
                hello["ids"] + 8 * hello["batch"] <= hello["slot_bytes"],
                hello["first_slot"] + hello["slots"] * hello["slot_bytes"] <= hello["bytes"],
            )
            if not all(ends):
                raise EngineDied("the engine's slots do not fit into its memory")
            with open(hello["memory"], "r+b") as file:
                memory = mmap.mmap(file.fileno(), hello["bytes"])
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
        body = json.dumps(message).encode()
        try:
            self._socket.sendall(struct.pack("<I", len(body)) + body)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def receive(self, *types):
        """Waits for a message of one of the types; those about earlier runs are passed over."""
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
        (length,) = struct.unpack("<I", self._take(4))
        if not 2 <= length <= MAX_RECEIVED:
            raise EngineDied("a message of %d bytes" % length)
        try:
            message = json.loads(self._take(length))
        except ValueError as error:
            raise EngineDied("a message that is no JSON: %s" % error) from None
        if not isinstance(message, dict):
            raise EngineDied("a message that is no JSON object")
        return message

    def _take(self, count):
        while len(self._buffer) < count:
            if self._forked:
                raise HeadraceError("the loader belongs to the process that this one forked from")
            try:
                more = self._socket.recv(65536)
            except ConnectionResetError:
                more = b""
            if not more:
                raise self._on_end()
            self._buffer += more
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def start(self, number, state=None):
        """Asks for an epoch, which ends the one before; returns the message `started`.

        The one behind it is announced.
        """
        self._run += 1
        which = {"number": number} if state is None else {"state": state}
        self.send(type="epoch", run=self._run, next=number + 1, **which)
        return self.receive("started")

    def release(self, message):
        """Gives the slot of a message `batch` back."""
        if message["run"] == self._run and not self._forked:
            self.send(type="release", run=self._run, slot=message["slot"])

    def samples(self, message):
        """The samples of a message `batch`, as writable bytes."""
        hello = self.hello
        start = self._slot(message)
        each = BYTES[hello["dtype"]]
        for extent in hello["shape"]:
            each *= extent
        return memoryview(self.memory)[start : start + message["size"] * each]

    def labels(self, message):
        """Class numbers of the samples, -1 for none: int64."""
        return self._column(message, "labels", "q")

    def ids(self, message):
        """Identities of the samples, hashes of their keys: uint64."""
        return self._column(message, "ids", "Q")

    def _column(self, message, name, letter):
        start = self._slot(message) + self.hello[name]
        return memoryview(self.memory)[start : start + 8 * message["size"]].cast(letter)

    def _slot(self, message):
        slot, size = message["slot"], message["size"]
        if not (0 <= slot < self.hello["slots"] and 0 <= size <= self.hello["batch"]):
            raise EngineDied("a batch of %r samples in slot %r" % (size, slot))
        return self.hello["first_slot"] + slot * self.hello["slot_bytes"]

    def close(self):
        _connections.discard(self)
        self._socket.close()
