# SPDX-License-Identifier: Apache-2.0
"""Laws of what is kept: whatever refers to a batch, nobody fills its memory. No package is needed."""

import hashlib
import os
import queue
import random
import tempfile
import threading
import unittest
import warnings

from plain import Plain
from test_engine import STEPS, folder

from headrace import BadRequest, HeadraceError

BATCHES = 15  # of an epoch


def digest(batch):
    parts = hashlib.sha256()
    for part in (batch.images, batch.labels, batch.ids):
        parts.update(bytes(part))
    return batch.epoch, batch.index, batch.size, parts.hexdigest()


class Keeping(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.data = folder(os.path.join(work.name, "data"))
        cls.shm = work.name
        with cls.loader(zero_copy="strict") as loader:
            cls.expected = [[digest(batch) for batch in epoch] for epoch in loader.epochs(3)]
        cls.all = sum(cls.expected, [])

    @classmethod
    def loader(cls, **options):
        given = {"pipeline": STEPS, "batch": 4, "threads": 2, "shm": cls.shm, **options}
        return Plain(cls.data, **given)

    def test_a_list_of_all_batches_is_what_a_loop_sees(self):
        for prefetch in (2, 5):
            with warnings.catch_warnings(record=True) as told, self.loader(prefetch=prefetch) as loader:
                warnings.simplefilter("always")
                kept = [batch for epoch in loader.epochs(3) for batch in list(epoch)]
                self.assertEqual(self.all, [digest(batch) for batch in kept])
                self.assertEqual(3 * BATCHES - (prefetch - 1), loader.copied)
                (once,) = [str(w.message) for w in told if "copied" in str(w.message)]
                self.assertIn("hold %d of the engine's %d batches" % (prefetch - 1, prefetch), once)

    def test_a_loop_that_keeps_nothing_copies_nothing(self):
        with self.loader(prefetch=3) as loader:
            found = []
            for epoch in loader.epochs(3):
                for batch in epoch:
                    found.append(digest(batch))
            self.assertEqual(self.all, found)
            self.assertEqual(0, loader.copied)

    def test_one_batch_is_kept_over_epochs_without_a_copy(self):
        with self.loader() as loader:
            kept, found = None, []
            for epoch in loader.epochs(3):
                for batch in epoch:
                    found.append(digest(batch))
                    if (batch.epoch, batch.index) == (0, 5):
                        kept = batch
            self.assertEqual(self.all, found)
            self.assertEqual(self.expected[0][5], digest(kept))
            self.assertEqual(0, loader.copied)
        self.assertEqual(self.expected[0][5], digest(kept))  # and when the engine is gone

    def test_a_view_of_a_view_is_enough(self):
        with self.loader() as loader:
            batches = iter(loader)
            first = next(batches)
            view = memoryview(first.images[40:100])[8:]
            content = bytes(view)
            first.release()
            with self.assertRaisesRegex(HeadraceError, "released"):
                first.images
            del first
            for epoch in (batches, loader, loader):
                for batch in epoch:
                    self.assertEqual(content, bytes(view))
                del batch
            self.assertEqual(1, loader._connection.lent())
            del view
            self.assertEqual(0, loader._connection.lent())

    def test_epochs_that_are_left_give_back_what_is_not_kept(self):
        with self.loader(prefetch=6) as loader:
            kept = []
            for _ in range(8):
                for batch in loader:
                    if batch.index == 2:
                        break
                kept.append((batch, digest(batch)))
                kept = kept[-2:]
                for batch, was in kept:
                    self.assertEqual(was, digest(batch))
            self.assertEqual(0, loader.copied)

    def test_copies_only_if_that_is_asked_for(self):
        with self.loader(zero_copy=False) as loader:
            self.assertEqual(self.all, [digest(b) for e in loader.epochs(3) for b in list(e)])
            self.assertEqual(3 * BATCHES, loader.copied)

    def test_strict_is_the_next_batch_in_the_same_memory_and_says_so(self):
        with self.loader(zero_copy="strict", prefetch=2) as loader:
            batches = list(loader)
            self.assertEqual(0, loader.copied)
            for part in ("images", "labels", "ids"):
                with self.assertRaisesRegex(HeadraceError, "released: its %s" % part):
                    getattr(batches[0], part)

    def test_batches_may_end_in_any_order_and_any_thread(self):
        todo, found = queue.Queue(), []
        chance = random.Random(1)

        def work():
            held = []
            while (batch := todo.get()) is not None:
                held.append(batch)
                if len(held) > 2:
                    found.append(digest(held.pop(chance.randrange(3))))
                del batch
            found.extend(digest(batch) for batch in held)

        with warnings.catch_warnings(), self.loader(prefetch=5) as loader:
            warnings.simplefilter("ignore")
            thread = threading.Thread(target=work)
            thread.start()
            for epoch in loader.epochs(3):
                for batch in epoch:
                    todo.put(batch)
                    del batch
            todo.put(None)
            thread.join()
        self.assertEqual(self.all, sorted(found))

    def test_a_fork_keeps_what_its_parent_gives_back(self):
        with self.loader(prefetch=3) as loader:
            batches = iter(loader)
            kept = next(batches)
            was = digest(kept)
            begin, answer = os.pipe(), os.pipe()
            child = os.fork()
            if child == 0:
                os.read(begin[0], 1)
                os.write(answer[1], b"same" if digest(kept) == was else b"other")
                os._exit(0)
            content = kept.images
            content[0] ^= 255  # what one of them writes is its own
            del kept, content
            found = [digest(b) for epoch in (batches, loader) for b in epoch]
            os.write(begin[1], b"1")
            self.assertEqual(b"same", os.read(answer[0], 9))
            os.waitpid(child, 0)
            for end in (*begin, *answer):
                os.close(end)
            self.assertEqual(self.all[1 : 2 * BATCHES], found)
            self.assertEqual(0, loader._connection.lent())
            self.assertEqual(0, loader.copied)


class Resuming(unittest.TestCase):
    setUpClass, loader = Keeping.__dict__["setUpClass"], Keeping.__dict__["loader"]

    def test_an_epoch_taken_up_counts_on(self):
        with self.loader(seed=3) as loader:
            whole = [(b.index, digest(b)) for b in loader]
            batches = iter(loader)
            for _ in range(6):
                next(batches)
            state = loader.state()
            rest = [(b.index, digest(b)) for b in batches]
        self.assertEqual(list(range(BATCHES)), [index for index, _ in whole])
        with self.loader(seed=3, state=state) as loader:
            self.assertEqual(BATCHES - 6, len(loader))
            self.assertEqual(rest, [(b.index, digest(b)) for b in loader])
            self.assertEqual(BATCHES, len(loader))
            self.assertEqual([2] * BATCHES, [b.epoch for b in loader])
        with self.loader(seed=3, state=state) as loader:
            self.assertEqual(0, next(loader.epoch(0)).index)
            self.assertEqual(BATCHES, len(loader))

    def test_a_state_and_an_epoch_contradict(self):
        with self.assertRaisesRegex(TypeError, "state or epoch"):
            self.loader(state='{"epoch": 1}', epoch=3)
        for nonsense in ("", "{", "[]", 7, {"done": 1}, object()):
            with self.assertRaisesRegex(BadRequest, "state"):
                self.loader(state=nonsense)
