# SPDX-License-Identifier: Apache-2.0
"""Laws of what is kept, as those see it who keep arrays of NumPy and tensors of PyTorch."""

import copy
import gc
import importlib.util
import multiprocessing
import os
import pickle
import sys
import tempfile
import threading
import unittest
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from test_engine import folder

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
HAS_TORCH = HAS_NUMPY and importlib.util.find_spec("torch") is not None
STEPS = "resize=4x4,float32,chw"


def pair(x, queue):
    """In another process: what it sees of an array."""
    queue.put((x.shape, x.sum().item()))


class Arrays:
    """The samples' mean grey is their number, so a model that knows it is always right."""

    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.data = folder(os.path.join(work.name, "data"), 60)
        cls.shm = work.name
        with cls.loader(zero_copy="strict") as loader:
            cls.expected = cls.cat([batch.copy().images for batch in loader])
            cls.labels = cls.cat([batch.labels for batch in loader.epoch(0)])

    @classmethod
    def loader(cls, **options):
        given = {"pipeline": STEPS, "batch_size": 8, "num_workers": 1, "seed": 4, "shm": cls.shm}
        return cls.Loader(cls.data, **{**given, **options})

    def same(self, found, expected):
        self.assertEqual(expected.shape, found.shape)
        self.assertTrue(bool((found == expected).all()))

    def test_the_idiom(self):
        """`for x, y in loader: xs.append(x)`, then one array of all."""
        with warnings.catch_warnings(record=True) as told, self.loader() as loader:
            warnings.simplefilter("always")
            xs, ys = [], []
            for x, y in loader:
                xs.append(x)
                ys.append(y)
            self.same(self.cat(xs), self.expected)
            self.same(self.cat(ys), self.labels)
            self.assertEqual(len(loader) - 3, loader.copied)
        self.assertEqual(1, sum("batches are copied" in str(w.message) for w in told))
        self.same(self.cat(xs), self.expected)  # nor does it change with the loader's end

    def test_a_perfect_model_is_right_about_all_that_it_saw(self):
        answers = {float(x.sum()): int(y) for x, y in zip(self.expected, self.labels)}
        with warnings.catch_warnings(), self.loader() as loader:
            warnings.simplefilter("ignore")
            seen, labels = [], []
            for epoch in loader.epochs(3):
                for x, y in epoch:
                    seen.append(x[:])
                    labels.append(y)
            right = [answers[float(x.sum())] == int(y) for x, y in zip(self.cat(seen), self.cat(labels))]
            self.assertEqual([True] * 180, right)

    def test_labels_alone_hold_nothing_back(self):
        with self.loader() as loader:
            batches = [(b.labels, b.ids) for b in loader]
            self.same(self.cat([labels for labels, _ in batches]), self.labels)
            self.assertEqual(60, len({int(i) for _, ids in batches for i in ids}))
            self.assertEqual((0, 0), (loader.copied, loader._connection.lent()))

    def test_whatever_is_made_of_an_array_holds_it(self):
        for name, derive in self.derived():
            with self.subTest(name), self.loader(prefetch=6) as loader:
                batches = iter(loader)
                derived = derive(next(batches).images)
                gc.collect()
                self.assertEqual(1, loader._connection.lent())
                for epoch in (batches, loader):
                    for _, labels in epoch:
                        pass
                del _, labels
                self.same(self.back(derived), derive(self.expected[:8]))
                self.assertEqual((1, 0), (loader._connection.lent(), loader.copied))
                del derived
                gc.collect()
                self.assertEqual(0, loader._connection.lent())

    def test_copies_hold_nothing(self):
        for name, duplicate in (
            ("copy", lambda batch: batch.copy()),
            ("pickle", lambda batch: pickle.loads(pickle.dumps(batch))),
            ("deepcopy", copy.deepcopy),
        ):
            with self.subTest(name), self.loader() as loader:
                batches = iter(loader)
                kept = duplicate(next(batches))
                self.assertEqual(0, loader._connection.lent())
                for x, _ in batches:
                    x[:] = 0  # what arrives may be written to
                self.same(kept.images, self.expected[:8])
                self.same(kept.labels, self.labels[:8])
                self.assertEqual((0, 0, 8, 8), (kept.epoch, kept.index, kept.size, kept.valid))

    def test_a_forked_worker_sees_what_it_was_given(self):
        with self.loader(prefetch=3) as loader, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's of forks and threads
            context = multiprocessing.get_context("fork")
            answers = context.Queue()
            workers, expected = [], []
            for x, _ in loader:
                workers.append(context.Process(target=pair, args=(x, answers)))
                workers[-1].start()
                expected.append((x.shape, x.sum().item()))
            found = [answers.get(timeout=60) for _ in workers]
            for worker in workers:
                worker.join()
            self.assertEqual(sorted(expected), sorted(found))

    def test_a_thread_ahead_may_hold_as_many_as_it_likes(self):
        import queue

        with warnings.catch_warnings(), self.loader() as loader:
            warnings.simplefilter("ignore")
            ahead = queue.Queue(3)

            def fill():
                for batch in loader:
                    ahead.put(batch.images)
                ahead.put(None)

            thread = threading.Thread(target=fill)
            thread.start()
            xs = []
            while (x := ahead.get()) is not None:
                x *= 2  # in place
                xs.append(x / 2)
            thread.join()
            self.same(self.cat(xs), self.expected)

    def test_pinned_memory_needs_a_gpu(self):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            self.pin(told)


@unittest.skipUnless(HAS_NUMPY, "NumPy is not installed")
class Numpy(Arrays, unittest.TestCase):
    if HAS_NUMPY:
        from headrace import Loader

    @staticmethod
    def cat(arrays):
        import numpy

        return numpy.concatenate(arrays)

    @staticmethod
    def back(derived):
        import numpy

        return numpy.asarray(derived)

    def derived(self):
        import numpy

        yield "itself", lambda x: x
        yield "a view of a view", lambda x: x[1:][:, ::2].T
        yield "bytes", lambda x: x.view(numpy.uint8)
        yield "a memoryview", lambda x: numpy.asarray(memoryview(x)[2:])
        yield "the buffer protocol", lambda x: numpy.frombuffer(x, numpy.float32)
        yield "a row", lambda x: x[3]
        yield "DLPack", lambda x: numpy.from_dlpack(x[2:])
        if HAS_TORCH:
            import torch

            yield "torch.from_numpy", lambda x: torch.from_numpy(x)[1].numpy()

    def pin(self, _):
        with self.assertRaisesRegex(ValueError, "headrace.torch"):
            self.loader(pin_memory=True)


@unittest.skipUnless(HAS_TORCH, "PyTorch is not installed")
class Torch(Arrays, unittest.TestCase):
    if HAS_TORCH:
        from headrace.torch import Loader

    @staticmethod
    def cat(tensors):
        import torch

        return torch.cat(tensors)

    @staticmethod
    def back(derived):
        return derived

    def derived(self):
        import torch

        yield "itself", lambda x: x
        yield "a view of a view", lambda x: x[1:].permute(0, 2, 3, 1)[..., 0]
        yield "a row", lambda x: x[3]
        yield "detach", lambda x: x.detach().view(-1)
        yield "numpy", lambda x: torch.from_numpy(x.numpy()[1:])
        yield "DLPack", lambda x: torch.from_dlpack(x[2:])
        yield "bytes", lambda x: x.view(torch.uint8)

    def test_autograd_holds_what_it_needs(self):
        import torch

        with warnings.catch_warnings(), self.loader() as loader:
            warnings.simplefilter("ignore")
            weight = torch.ones(4, requires_grad=True)
            losses = [(x * weight).sum() for x, _ in loader]
            sum(losses).backward()
            self.assertTrue(torch.allclose(weight.grad, self.expected.sum((0, 1, 2)), rtol=1e-5))

    def test_a_tensor_passed_to_a_process_is_a_copy(self):
        import torch.multiprocessing

        with self.loader() as loader:
            queue = torch.multiprocessing.get_context("fork").Queue()
            for x, _ in loader:
                queue.put(x)
                del x
            found = [queue.get(timeout=60).clone() for _ in range(len(loader))]
            self.same(self.cat(found), self.expected)

    def pin(self, told):
        import torch

        with self.loader(pin_memory=True) as loader:
            images = [x for x, _ in loader]
            self.same(self.cat(images), self.expected)
            self.assertEqual([torch.cuda.is_available()] * len(images), [x.is_pinned() for x in images])
        lines = [str(w.message) for w in told]
        expected = 0 if torch.cuda.is_available() else 1
        self.assertEqual(expected, sum("there is no GPU" in line for line in lines), lines)
