# SPDX-License-Identifier: Apache-2.0
"""Laws of an engine that several loaders share. HEADRACE is the command; no package is needed."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

from plain import Plain
from test_engine import folder

from headrace import BadRequest, _engine

STEPS = "random_resized_crop=4,flip,uint8,hwc"
BATCHES = 15  # of an epoch
SLOTS = 4
FREED_SECONDS = 2
HOLDS_ALL = """
import itertools, sys
sys.path[:0] = {path!r}
from plain import Plain
loader = Plain(socket={socket!r})
kept = list(itertools.islice(loader, 3))
print("holds", flush=True)
sys.stdin.read()
"""


class Sharing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.data = folder(os.path.join(work.name, "data"))
        cls.socket = os.path.join(work.name, "s")
        cls.options = {"pipeline": STEPS, "batch": 4, "threads": 1, "shm": work.name}
        with cls.alone(4) as loader:
            cls.expected = [[bytes(b.images) for b in epoch] for epoch in loader.epochs(3)]
        command = [*_engine.find(), "serve", cls.data, "--socket", cls.socket, "--jobs=2", "--seed=4"]
        command += ["--pipeline", STEPS, "--batch=4", "--threads=1", "--shm", work.name]
        engine = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        cls.addClassCleanup(engine.stderr.close)
        cls.addClassCleanup(engine.wait)
        cls.addClassCleanup(engine.terminate)
        while not engine.stderr.readline().startswith("waiting for "):
            if engine.poll() is not None:
                raise AssertionError("the engine ended")

    @classmethod
    def alone(cls, seed):
        return Plain(cls.data, seed=seed, **cls.options)

    def together(self, *jobs):
        """Runs each with a loader of its own, in a thread; returns what they return."""
        results, failures = [None] * len(jobs), []

        def run(place, job):
            try:
                with Plain(socket=self.socket) as loader:
                    results[place] = job(loader)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=run, args=pair) for pair in enumerate(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        return results

    def test_only_the_user_can_connect(self):
        self.assertEqual(0o600, stat.S_IMODE(os.stat(self.socket).st_mode))

    def test_what_one_writes_the_others_do_not_see(self):
        def writes(loader):
            found = []
            for epoch in loader.epochs(3):
                found.append([])
                for batch in epoch:
                    found[-1].append(bytes(batch.images))
                    batch.images[:] = bytes(len(batch.images))
            return found

        def reads(loader):
            return [[bytes(batch.images) for batch in epoch] for epoch in loader.epochs(3)]

        for found in self.together(writes, reads, writes)[:2]:
            self.assertEqual(self.expected, found)

    def test_what_is_kept_stays_while_others_go_on(self):
        kept, closed = [], threading.Event()

        def keeps(loader):
            batches = iter(loader)
            for number in range(SLOTS - 1):
                kept.append(next(batches))
                kept[-1].images[0] = number
            loader.close()
            closed.set()

        def goes_on(loader):
            self.assertEqual(self.expected, [[bytes(b.images) for b in e] for e in loader.epochs(3)])
            self.assertTrue(closed.wait(10))

        self.together(keeps, goes_on)
        for number, batch in enumerate(kept):
            self.assertEqual(bytes([number]) + self.expected[0][number][1:], bytes(batch.images))

    def test_a_killed_job_frees_its_slots(self):
        path = [os.path.dirname(os.path.abspath(__file__))]
        text = HOLDS_ALL.format(path=path, socket=self.socket)
        pipe = subprocess.PIPE
        child = subprocess.Popen([sys.executable, "-c", text], stdin=pipe, stdout=pipe, text=True)
        self.addCleanup(child.stdin.close)
        self.addCleanup(child.stdout.close)
        with Plain(socket=self.socket) as loader:
            batches = iter(loader)
            for _ in range(SLOTS):  # all there are, for the child gives none back
                next(batches).release()
            self.assertEqual("holds\n", child.stdout.readline())
            child.send_signal(signal.SIGKILL)
            begin = time.monotonic()
            child.wait()
            self.assertEqual(BATCHES - SLOTS, sum(1 for _ in batches))
            self.assertLess(time.monotonic() - begin, FREED_SECONDS)
            self.assertTrue(loader.report["verified"])
            self.assertEqual(60, loader.report["decoded"])

    def test_an_epoch_under_way_is_joined_with_a_warning(self):
        def first(loader):
            for batch in loader:
                batch.release()
                if batch.index == 8:
                    late.start()
                    joined.wait()

        def join():
            with warnings.catch_warnings(record=True) as told, Plain(socket=self.socket) as loader:
                warnings.simplefilter("always")
                rest = iter(loader)
                joined.set()
                seen.append(len(loader))
                seen.append(sum(1 for _ in rest))
                seen.append(str(told[0].message))

        joined, seen = threading.Event(), []
        late = threading.Thread(target=join)
        self.together(first, lambda loader: [batch.release() for batch in loader])
        late.join()
        self.assertEqual(seen[0], seen[1])
        self.assertLess(seen[0], BATCHES)
        self.assertRegex(seen[2], "joins others in epoch 0, of which %d of 15" % seen[0])

    def test_a_seed_of_its_own_is_an_order_and_crops_of_its_own(self):
        with self.alone(9) as loader:
            expected = [bytes(batch.images) for batch in loader]
        with Plain(socket=self.socket, seed=9) as loader:
            self.assertEqual(expected, [bytes(batch.images) for batch in loader])
        with Plain(socket=self.socket, seed=4, rank=(1, 2)) as loader:
            self.assertEqual((1, 2), (loader.rank, loader.world))
        with self.assertRaisesRegex(BadRequest, "rank 3"):
            Plain(socket=self.socket, rank=(3, 2))
        with self.assertRaisesRegex(ValueError, "has its options already"):
            Plain(socket=self.socket, batch=4)
        with self.assertRaisesRegex(TypeError, "expected socket="):
            Plain(self.data, join="whole", **self.options)
        with self.assertRaisesRegex(BadRequest, "behind='never': expected 'wait' or 'miss'"):
            Plain(socket=self.socket, behind="never")


if __name__ == "__main__":
    unittest.main()
