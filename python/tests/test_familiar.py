# SPDX-License-Identifier: Apache-2.0
"""What users of other loaders expect: callables, devices, ranks, classes, states as dicts.

    HEADRACE=$PWD/headrace python3 -m unittest discover python/tests
"""

import importlib.util
import json
import os
import random
import signal
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from test_engine import folder

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
HAS_TORCH = HAS_NUMPY and importlib.util.find_spec("torch") is not None
STEPS = "resize=6x4,uint8,hwc"
HERE = os.getpid()


def noisy(sample):
    """A draw of each kind there is."""
    import numpy

    return (numpy.asarray(sample) + random.random() + numpy.random.rand()).astype("float32")


class Familiar:
    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.data = folder(os.path.join(work.name, "data"), 60)
        cls.shm = work.name

    def loader(self, **options):
        given = {"pipeline": STEPS, "batch_size": 8, "num_workers": 1, "seed": 4, "shm": self.shm}
        return self.Loader(self.data, **{**given, **options})

    def epoch(self, **options):
        with self.loader(**options) as loader:
            return [(self.numpy(b.images), self.numpy(b.labels), self.numpy(b.ids)) for b in loader]

    def same(self, found, expected):
        self.assertEqual(len(expected), len(found))
        for mine, wanted in zip(found, expected):
            for a, b in zip(mine, wanted):
                self.assertEqual((b.dtype, b.shape), (a.dtype, a.shape))
                self.assertTrue((a == b).all())

    def test_a_callable_gets_each_sample(self):
        plain = self.epoch()
        found = self.epoch(transform=lambda x: x[1:5, :, :2] * 2, transform_workers=2)
        self.same(found, [(i[:, 1:5, :, :2] * 2, labels, ids) for i, labels, ids in plain])

    def test_draws_are_those_of_the_sample_whatever_the_number_of_processes(self):
        one = self.epoch(transform=noisy, transform_workers=1)
        self.same(self.epoch(transform=noisy, transform_workers=3), one)
        other = self.epoch(transform=noisy, transform_workers=2, seed=5, shuffle=False)
        stored = self.epoch(transform=noisy, transform_workers=2, shuffle=False)
        self.assertFalse((other[0][0] == stored[0][0]).all())
        with self.loader(transform=noisy, transform_workers=1, shuffle=False) as loader:
            first, second = [next(iter(epoch)).images for epoch in loader.epochs(2)]
            self.assertFalse(bool((first == second).all()))

    def test_some_samples_and_weights(self):
        stored = self.epoch(shuffle=False)
        ids = [int(i) for *_, some in stored for i in some]
        some = self.epoch(subset=[41, 3, 17], shuffle=False)
        self.assertEqual([ids[41], ids[3], ids[17]], some[0][2].tolist())
        options = {"weights": [i % 2 for i in range(60)], "epoch_samples": 200}
        drawn = [i for *_, found in self.epoch(**options) for i in found.tolist()]
        self.assertEqual((200, set(ids[1::2])), (len(drawn), set(drawn)))
        with self.loader(subset=0.1, fields=["key"]) as loader:
            self.assertEqual(1, len(loader))
            keys = [key for batch in loader for key in batch.keys]
        with self.loader(subset=keys, fields=["key"]) as loader:
            self.assertEqual(sorted(keys), sorted(key for batch in loader for key in batch.keys))
        for options, words in (
            ({"subset": 1.5}, "subset '150.0%'"),
            ({"subset": [60]}, "expected numbers below 60"),
            ({"weights": "nowhere.txt"}, "nowhere.txt"),
            ({"weights": [1.0]}, "1 weights for a dataset of 60 samples"),
        ):
            with self.assertRaisesRegex((OSError, ValueError), words):
                self.loader(**options)
        with self.assertRaisesRegex(TypeError, "expected a list of numbers"):
            self.loader(weights=[None])

    def test_this_process_draws_as_if_nothing_had_happened(self):
        random.seed(1)
        expected = random.random()
        random.seed(1)
        self.epoch(transform=noisy, transform_workers=1)
        self.assertEqual(expected, random.random())

    def test_a_state_is_that_of_the_batch_given_last(self):
        for options in {}, {"transform": noisy, "transform_workers": 2}:
            with self.loader(**options) as loader:
                self.assertEqual({"state": None, "epoch": 0}, loader.state_dict())
                batches = iter(loader.epoch(3))
                next(batches), next(batches)
                kept = loader.state_dict()
                rest = [self.numpy(b.ids).tolist() for b in batches]
                after = loader.state_dict()
                loader.load_state_dict(kept)
                self.assertEqual(6, len(loader))
                loader.set_epoch(3)  # as loops say it before each epoch
                self.assertEqual(rest, [self.numpy(b.ids).tolist() for b in loader])
                self.assertEqual(after, loader.state_dict())
                loader.load_state_dict({"state": None, "epoch": 3})
                self.assertEqual(8, len(list(loader)))
                self.assertEqual(3, loader.report["epoch"])

    def test_set_epoch_says_which_is_next(self):
        with self.loader() as loader:
            loader.set_epoch(5)
            self.assertEqual(5, next(iter(loader)).epoch)
            self.assertEqual(6, next(iter(loader)).epoch)

    def test_results_that_are_kept_stay(self):
        with self.loader(transform=noisy, transform_workers=2) as loader:
            kept = [b.images for b in loader]
            again = self.epoch(transform=noisy, transform_workers=2)
            for mine, (images, *_) in zip(kept, again):
                self.assertTrue((self.numpy(mine) == images).all())
            list(loader)
            report = loader.report["transform"]
            self.assertEqual((2, 60), (report["workers"], report["samples"]))
            self.assertGreater(report["busy_seconds"], 0)

    def test_an_epoch_that_is_left_does_not_mix_with_the_next(self):
        expected = self.epoch(transform=noisy, transform_workers=2)
        with self.loader(transform=noisy, transform_workers=2) as loader:
            left = iter(loader)
            next(left)
            found = [
                (self.numpy(b.images), self.numpy(b.labels), self.numpy(b.ids)) for b in loader.epoch(0)
            ]
            self.same(found, expected)

    def test_a_callable_that_fails_is_an_error_that_names_the_sample(self):
        def fails(sample):
            raise KeyError("so")

        with self.loader(transform=fails) as loader:
            with self.assertRaisesRegex(self.error, r"(?s)failed on sample [0-9a-f]{16}:.*KeyError: 'so'"):
                next(iter(loader))

        def sometimes(sample):
            if HERE != os.getpid():
                os.kill(os.getpid(), signal.SIGKILL)
            return sample

        with self.loader(transform=sometimes) as loader:
            with self.assertRaisesRegex(self.error, "a process of transform= ended: SIGKILL"):
                list(loader)

        def grows(sample):
            return sample if HERE == os.getpid() else sample[:2]

        with self.loader(transform=grows) as loader:
            with self.assertRaisesRegex(self.error, r"made uint8 \[2, 4, 3\] of .* and uint8 \[6, 4, 3\]"):
                list(loader)

    def test_processes_end_with_the_loader(self):
        with self.loader(transform=noisy, transform_workers=2) as loader:
            next(iter(loader))
            processes = [process for process, _ in loader._transform._processes]
            self.assertTrue(all(process.is_alive() for process in processes))
        self.assertEqual([0, 0], [process.exitcode for process in processes])

    def test_samples_by_number(self):
        stored = self.epoch(shuffle=False)
        images = [image for images, *_ in stored for image in images]
        labels = [int(label) for _, some, _ in stored for label in some]
        with self.Dataset(self.data, pipeline=STEPS, shm=self.shm, fields=["key"]) as dataset:
            self.assertEqual((60, {"class0": 0, "class1": 1}), (len(dataset), dataset.class_to_idx))
            for number in (41, 42, 3, 0, -1, 59):
                image, label = dataset[number]
                self.assertTrue((self.numpy(image) == images[number]).all())
                self.assertEqual(labels[number], label)
            self.assertEqual(60, sum(1 for _ in dataset))
            self.assertRegex(dataset.batch(5).keys[0], r"^class\d/00\d\d")
            with self.assertRaisesRegex(IndexError, "sample 60 of 60"):
                dataset[60]
            self.assertRegex(repr(dataset), r"^Dataset\('.*': 60 samples in 2 classes\)$")

    def mixture(self, **options):
        other = os.path.join(self.shm, "other")
        if not os.path.exists(other):
            for place, _, names in list(os.walk(folder(other, 10, edge=9))):
                for name in names:  # ids are hashes of names
                    os.rename(os.path.join(place, name), os.path.join(place, "other" + name))
        given = {"pipeline": STEPS, "batch_size": 7, "num_workers": 1, "seed": 4, "shm": self.shm}
        return self.Loader(sources={self.data: 0.7, other: 0.3}, **{**given, **options})

    def test_sources_come_in_exact_proportion_and_go_on_anywhere(self):
        def rows(batches):
            return [
                (self.numpy(b.images).tobytes(), self.numpy(b.labels).tolist(), self.numpy(b.ids).tolist())
                for b in batches
            ]

        mine = {i for _, _, ids in self.epoch() for i in ids.tolist()}
        with self.mixture() as mixture:
            self.assertEqual((70, 10), (mixture.samples, len(mixture)))
            found, states = [], []
            for batch in mixture:
                found += rows([batch])
                states.append(mixture.state_dict())
            for count in range(1, 11):
                first = sum(i in mine for _, _, ids in found[:count] for i in ids)
                self.assertLess(abs(first - 0.7 * 7 * count), 1)
            self.assertEqual([0, 2], list(mixture.source_epochs.values()))
            others = [i for _, _, ids in found for i in ids if i not in mine]
            for begin in 0, 10:  # each epoch of a source has each sample once
                self.assertEqual(10, len(set(others[begin : begin + 10])))
            more = rows(mixture)
            self.assertEqual([1, 4], list(mixture.source_epochs.values()))
            for place in 0, 4, 9:
                mixture.load_state_dict(states[place])
                self.assertEqual(found[place + 1 :], rows(mixture))
                self.assertEqual(more, rows(mixture))
            with self.assertRaisesRegex(ValueError, "other weights"):
                mixture.load_state_dict({**states[0], "mixture": ["1/2", "1/2"]})
            self.assertIsInstance(mixture, self.Loader)
            self.assertEqual((70, [0, 1]), (mixture.report["delivered"], sorted(mixture.class_to_idx.values())))
            self.assertIn(mixture.report["sources"][self.data]["epoch"], (0, 1))
            mixture.load_state_dict(states[4])
            text = mixture.state()
            mixture.set_epoch(0)  # as loops say it before each epoch
            self.assertEqual(found[5:], rows(mixture))
            self.assertEqual(more, rows(mixture.epoch(1)))
            with self.assertRaisesRegex(ValueError, "load_state_dict"):
                mixture.set_epoch(7)
        with self.mixture(state=text) as again:
            self.assertEqual(found[5:], rows(again))

    def test_sources_have_fields_and_callables(self):
        expected = {}
        for path in self.data, os.path.join(self.shm, "other"):
            self.mixture().close()
            with self.Loader(path, pipeline=STEPS, fields=["key"], shm=self.shm) as loader:
                for batch in loader:
                    for image, sample, key in zip(self.numpy(batch.images), batch.ids.tolist(), batch.keys):
                        expected[sample] = (key, image)
        with self.mixture(fields=["key"], transform=lambda x: x[1:5] * 2, transform_workers=1) as mixture:
            seen = 0
            for batch in mixture:
                for image, sample, key in zip(self.numpy(batch.images), batch.ids.tolist(), batch.keys):
                    seen += 1
                    self.assertEqual(expected[sample][0], key)
                    self.assertTrue((expected[sample][1][1:5] * 2 == image).all())
            self.assertEqual((70, 70), (seen, len(mixture) * batch.size))

    def test_sources_that_do_not_mix(self):
        with tempfile.TemporaryDirectory() as work:
            odd = folder(os.path.join(work, "odd"), 4)
            os.rename(os.path.join(odd, "class1"), os.path.join(odd, "another"))
            for sources, words in (
                ({self.data: 0.7, odd: 0.3}, "has other classes than"),
                ({self.data: 0}, "expected a number above 0"),
            ):
                with self.assertRaisesRegex(ValueError, words):
                    self.Mixture(sources, pipeline=STEPS)
        for given, words in (
            ({"sources": {}}, "expected a dict of datasets and weights"),
            ({"data": self.data, "sources": {self.data: 1}}, "either data, a socket or sources"),
            ({"sources": {self.data: 1}, "epoch": 3}, "state= says where"),
            ({"sources": {self.data: 1}, "batch": 3, "batch_size": 3}, "are the same"),
            ({"sources": {self.data: 1}, "bach": 3}, "did you mean 'batch'"),
        ):
            with self.assertRaisesRegex((TypeError, ValueError), words):
                self.Loader(**given)
        with self.assertRaisesRegex(TypeError, "expected a loader of Headrace itself"):
            type("Own", (self.Loader,), {})(sources={self.data: 1})
        with self.Mixture({self.data: 1}, pipeline=STEPS, shm=self.shm) as mixture:
            self.assertEqual(60, sum(batch.size for batch in mixture))

    def test_what_cannot_work_together(self):
        for options, words in (
            ({"transform": 3}, "expected a callable"),
            ({"transform": noisy, "transform_workers": 0}, "expected 1 to 1024"),
            ({"transform": noisy, "zero_copy": "strict"}, "do not go together"),
            ({"transform": noisy, "prefetch": 2}, "needs 3"),
        ):
            with self.assertRaisesRegex((TypeError, ValueError), words):
                self.loader(**options)

    def test_it_says_what_it_is(self):
        with self.loader() as loader:
            self.assertEqual({"class0": 0, "class1": 1}, loader.class_to_idx)
            self.assertEqual((60, 0, 1), (loader.num_samples, loader.rank, loader.world))
            self.assertRegex(
                repr(loader), r"^Loader\('.*data': 60 samples in 2 classes, 8 batches of 8: uint8 \[6, 4, 3\]\)$"
            )
            batch = next(iter(loader))
            self.assertEqual("Batch(0 of epoch 0: images uint8 [8, 6, 4, 3], labels, ids)", repr(batch))
            batch.release()
            self.assertEqual("Batch(released)", repr(batch))


class Commands(unittest.TestCase):
    """Commands as functions; no package is needed."""

    def test_they_return_what_they_found(self):
        import headrace

        with tempfile.TemporaryDirectory() as work:
            data = folder(os.path.join(work, "data"), 6)
            found = headrace.inspect(data)
            self.assertEqual((6, {"class0": 3, "class1": 3}), (found.samples, found.classes))
            self.assertTrue(found.sound)
            self.assertEqual(found.samples, found.document["samples"])
            made = headrace.convert(data, os.path.join(work, "tfr"), shards=2)
            self.assertEqual((6, 2, []), (made.written, made.shards, made.skipped))
            self.assertEqual(made.set_digest, headrace.verify(os.path.join(work, "tfr")).set_digest)
            same = headrace.diff(data, os.path.join(work, "tfr"))
            self.assertEqual((6, 6, []), (same.in_both, same.same_pixels, same.other_labels))
            for subset, count in ((0.5, 3), ([5, 0], 2), ("first:1", 2), ("34%", 2)):
                some = headrace.convert(data, os.path.join(work, str(subset)), subset=subset)
                self.assertEqual(count, some.written)
            with self.assertRaisesRegex(TypeError, "subset=3: expected a share"):
                headrace.convert(data, os.path.join(work, "none"), subset=3)
            with self.assertRaisesRegex(headrace.BadRequest, "Unknown option: '--nonsense"):
                headrace.inspect(data, nonsense=3)
            with self.assertRaisesRegex(headrace.HeadraceError, "no such file or folder"):
                headrace.inspect(os.path.join(work, "gone"))
            shard = os.path.join(work, "tfr", sorted(os.listdir(os.path.join(work, "tfr")))[0])
            with open(shard, "r+b") as file:
                file.seek(40)
                file.write(b"\xff\xff")
            self.assertFalse(headrace.verify(shard).sound)


    def test_tune_says_which_representation_and_convert_follows(self):
        import headrace

        with tempfile.TemporaryDirectory() as work:
            data, plan = folder(os.path.join(work, "data"), 6), os.path.join(work, "plan.json")
            found = headrace.tune(
                data,
                out=plan,
                candidate=["tfrecord none keep", "race none png"],
                samples=6,
                seconds=0.05,
                repeats=1,
                pipeline=STEPS,
                work=work,
            )
            self.assertEqual((6, 6), (found.samples, found.sampled))
            tried = [c["name"] for c in found.candidates]
            names = tried + [c["name"] for c in found.untried]
            self.assertEqual(["original", "race, png", "tfrecord"], sorted(names))
            self.assertTrue(all(c["measured"] > 0 for c in found.candidates))
            self.assertTrue(all(c["why"] for c in found.untried))
            self.assertIn(found.pick["name"], tried)
            self.assertIn("bottleneck is", found.advice)
            self.assertGreaterEqual(found.spread, 0)
            with open(plan, encoding="utf-8") as file:
                self.assertEqual(found.pick["command"], json.load(file)["pick"]["command"])
            self.assertNotIn("'candidates'", repr(found))


@unittest.skipUnless(HAS_NUMPY, "no NumPy")
class Numpy(Familiar, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import headrace

        super().setUpClass()
        cls.Loader, cls.error = headrace.Loader, headrace.HeadraceError
        cls.Mixture, cls.Dataset = headrace.Mixture, headrace.Dataset

    @staticmethod
    def numpy(array):
        return array.copy()

    def test_a_learned_set_gives_the_pictures_that_its_encoder_saw(self):
        import headrace

        with tempfile.TemporaryDirectory() as work:
            data = folder(os.path.join(work, "data"), 4, 40)
            learned, plain = os.path.join(work, "learned"), os.path.join(work, "plain")
            made = headrace.convert(data, learned, format="race", encoding="learned")
            self.assertEqual((4, []), (made.written, made.skipped))
            headrace.convert(learned, plain, format="folder", encoding="ppm")
            options = {"pipeline": "resize=40x40", "batch_size": 4, "shm": self.shm, "fields": ["key"]}
            with self.Loader(learned, **options) as loader:
                batch = next(iter(loader))
                for image, key in zip(self.numpy(batch.images), batch.keys):
                    with open(os.path.join(plain, key), "rb") as file:
                        self.assertEqual(image.tobytes(), file.read()[-image.size :])


class FakeEvent:
    """Of a copy that takes until somebody waits for it."""

    def __init__(self):
        self.over = False

    def query(self):
        return self.over

    def synchronize(self):
        self.over = True


class FakeCuda:
    """Where a GPU would be: memory of the CPU, and a list of what was asked."""

    made = []

    def __init__(self, device):
        import contextlib

        import torch

        self.device, self.asked = torch.device("cpu"), []
        self.on_stream = contextlib.nullcontext
        FakeCuda.made.append(self)

    def register(self, address, size):
        self.asked.append(("register", address, size))
        return True

    def unregister(self, address):
        self.asked.append(("unregister", address))

    def mark(self):
        event = FakeEvent()
        self.asked.append(event)
        return event

    def after(self, event, tensors):
        self.asked.append(("after", event, len(tensors)))


@unittest.skipUnless(HAS_TORCH, "no PyTorch")
class Torch(Familiar, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import headrace
        import headrace.torch

        super().setUpClass()
        cls.Loader, cls.error = headrace.torch.Loader, headrace.HeadraceError
        cls.Mixture, cls.Dataset = headrace.torch.Mixture, headrace.torch.Dataset

    @staticmethod
    def numpy(tensor):
        return tensor.numpy().copy()

    def test_workers_of_a_data_loader_open_it_for_themselves(self):
        import torch

        with self.Dataset(self.data, pipeline=STEPS, shm=self.shm) as dataset:
            self.assertIsInstance(dataset, torch.utils.data.Dataset)
            here = torch.stack([dataset[i][0] for i in range(8)])
            loader = torch.utils.data.DataLoader(dataset, batch_size=8, num_workers=1)
            images, labels = next(iter(loader))
            self.assertTrue(bool((here == images).all()))
            self.assertEqual(8, len(labels))

    def test_a_batch_goes_to_a_device(self):
        import torch

        with self.loader(fields=["key"]) as loader:
            batch = next(iter(loader))
            half = batch.to(torch.float16)
            self.assertEqual(torch.float16, half.images.dtype)
            self.assertEqual((torch.int64, torch.int64), (half.labels.dtype, half.ids.dtype))
            there = batch.to("meta", non_blocking=True)
            self.assertEqual({"meta"}, {t.device.type for t in (there.images, there.labels, there.ids)})
            self.assertEqual(batch.keys, there.keys)
            self.assertEqual((batch.size, batch.index), (there.size, there.index))

    def test_the_rank_is_the_environments(self):
        seen = []
        for rank in "01":
            with unittest.mock.patch.dict(os.environ, {"RANK": rank, "WORLD_SIZE": "2"}):
                with self.loader(ranks_tail="uneven") as loader:
                    self.assertEqual((int(rank), 2), (loader.rank, loader.world))
                    self.assertIn("rank %s of 2" % rank, repr(loader))
                    seen += [i for batch in loader for i in batch.ids.tolist()]
                with self.loader(rank="0/1") as loader:
                    self.assertEqual(1, loader.world)
        self.assertEqual((60, 60), (len(seen), len(set(seen))))

    def placed(self, **options):
        import headrace._device

        FakeCuda.made.clear()
        with unittest.mock.patch.object(headrace._device, "Cuda", FakeCuda):
            return self.loader(device="cuda", **options)

    def test_bytes_travel_and_the_device_makes_the_values(self):
        for steps in (
            "random_resized_crop=4,flip,normalize=imagenet,float32,chw",
            "resize=4x4,normalize=122.7/116.5/104:59.4/58.4/58.7:range=255,float16,hwc",
            "resize=4x4,center,bfloat16,chw",
        ):
            with self.subTest(steps), self.placed(pipeline=steps, exact=True) as loader:
                self.assertEqual("uint8", loader.dtype)
                with self.loader(pipeline=steps, exact=True) as plain:
                    for there, here in zip(loader, plain, strict=True):
                        self.assertEqual(here.images.dtype, there.images.dtype)
                        self.assertTrue(bool((here.images == there.images).all()))
                        self.assertTrue(bool((here.labels == there.labels).all()))
        with self.placed(pipeline="resize=4x4,uint8,hwc") as loader:
            self.assertEqual(8, sum(1 for _ in loader))

    def test_memory_is_registered_and_not_filled_again_before_its_copy_ended(self):
        with self.placed(pipeline="resize=4x4,center,float32,chw") as loader:
            [cuda] = FakeCuda.made
            memory = loader._connection.memory
            self.assertEqual(("register", len(memory)), (cuda.asked[0][0], cuda.asked[0][2]))
            for number, _ in enumerate(loader):
                events = [e for e in cuda.asked if isinstance(e, FakeEvent)]
                running = [e for e in events if not e.over]
                self.assertLessEqual(len(running), loader._connection.lent())
                self.assertEqual(1, sum(e[0] == "after" and e[1] is events[number]
                                        for e in cuda.asked if isinstance(e, tuple)))
            self.assertTrue(all(e.over for e in cuda.asked if isinstance(e, FakeEvent)))
            self.assertEqual(0, loader.copied)
        self.assertEqual("unregister", cuda.asked[-1][0])
        self.assertEqual(cuda.asked[0][1], cuda.asked[-1][1])

    def test_a_callable_and_a_device(self):
        expected = self.epoch(transform=noisy, transform_workers=1)
        with self.placed(transform=noisy, transform_workers=2) as loader:
            found = [(self.numpy(b.images), self.numpy(b.labels), self.numpy(b.ids)) for b in loader]
        self.same(found, expected)

    def test_a_device_that_is_not_there(self):
        import torch

        if torch.cuda.is_available():
            self.skipTest("there is a GPU")
        with self.assertRaisesRegex(ValueError, "sees no GPU"):
            self.loader(device="cuda")
        with self.assertRaisesRegex(ValueError, "expected cpu or cuda"):
            self.loader(device="meta")

    def test_steps_for_the_device(self):
        import doctest

        import headrace._device
        from headrace._device import divided

        self.assertEqual(0, doctest.testmod(headrace._device).failed)
        self.assertEqual("random_resized_crop=224,flip,uint8,chw", divided("train")[0])
        views = "views=2,resize=4x4,normalize=imagenet,float32,chw"  # fields are not made on the GPU
        for steps in (views, "resize=4x4,uint8,chw", "resize=4x4,normalize=imagenet,erase,float32,chw", "resize=4x4"):
            self.assertEqual((steps, None), divided(steps))


if __name__ == "__main__":
    unittest.main()
