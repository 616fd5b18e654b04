#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the Python client itself costs a batch: CPU time of its thread, the engine left out.

    bench/handoff/client.py [--kind numpy] [--batch 32]

A thread that speaks the engine's protocol puts many messages into the socket at once, so that the
client never waits: that is what Python adds while nobody else uses the machine. After a wait caches
are cold, and the same work takes several times as long; bench/handoff/handoff.py has that in it.
TREE names another checkout, to compare two.
"""

import argparse
import json
import mmap
import os
import socket
import statistics
import struct
import sys
import tempfile
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(os.environ.get("TREE", ROOT), "python"))
SHAPE = 224, 224, 3
SLOTS, BURST, BURSTS = 4, 150, 60
TOKEN = bytes(16)


class Engine(threading.Thread):
    """Says what an engine says, of batches that are there already."""

    def __init__(self, path, batch):
        super().__init__(daemon=True)
        self._batch, self.ready = batch, threading.Semaphore(0)
        self.wanted = threading.Semaphore(0)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen()
        labels = batch * SHAPE[0] * SHAPE[1] * SHAPE[2] // 64 * 64 + 64
        ids = labels + 8 * batch // 64 * 64 + 64
        self._layout = {"labels": labels, "ids": ids, "slot_bytes": 2 * ids - labels}
        self._size = 64 + SLOTS * self._layout["slot_bytes"]
        self._file = os.memfd_create("client")
        os.ftruncate(self._file, self._size)
        mmap.mmap(self._file, self._size)[:32] = struct.pack("<8sII16s", b"HEADRACE", 1, 0, TOKEN)

    def run(self):
        connection, _ = self._listener.accept()
        stream = connection.makefile("rwb")

        def receive():
            (length,) = struct.unpack("<I", stream.read(4))
            return json.loads(stream.read(length))

        def send(**message):
            body = json.dumps(message).encode()
            stream.write(struct.pack("<I", len(body)) + body)

        receive()
        memory = {"memory": "/proc/self/fd/%d" % self._file, "bytes": self._size, "first_slot": 64}
        memory.update(self._layout, token=TOKEN.hex(), slots=SLOTS, byte_order="little", fields=[])
        samples = {"batch": self._batch, "dtype": "uint8", "shape": SHAPE, "samples": -1, "batches": -1}
        send(type="hello", protocol=1, rank=0, world=1, classes=[], **memory, **samples)
        stream.flush()
        receive()
        run = receive()["run"]
        send(type="started", run=run, epoch=0, batches=-1, state="{}")
        stream.flush()
        for burst in range(BURSTS):
            self.wanted.acquire()
            for index in range(burst * BURST, burst * BURST + BURST):
                place = {"slot": index % SLOTS, "epoch": 0, "index": index, "done": index * self._batch}
                send(type="batch", run=run, size=self._batch, valid=self._batch, **place)
            stream.flush()
            self.ready.release()
            for _ in range(BURST - (burst == 0)):  # the last one is still held
                receive()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kind", choices=("numpy", "torch"), default="numpy")
    parser.add_argument("--batch", type=int, default=32)
    options = parser.parse_args()
    if options.kind == "torch":
        from headrace.torch import Loader
    else:
        from headrace import Loader
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        engine = Engine(path, options.batch)
        engine.start()
        loader, costs = Loader(socket=path), []
        batches = iter(loader)
        for _ in range(BURSTS):
            engine.wanted.release()
            engine.ready.acquire()
            begin = time.thread_time()
            for _ in range(BURST):
                next(batches).images[-1]
            costs.append((time.thread_time() - begin) * 1e6 / BURST)
        copied = loader.copied
        loader.close()
    print("%.1f µs a batch, median; %.1f at best; %d copied" % (statistics.median(costs), min(costs), copied))


if __name__ == "__main__":
    main()
