# SPDX-License-Identifier: Apache-2.0
"""The same batches as tf.data's and JAX's users have them, where these packages are there.

    HEADRACE=$PWD/headrace python3 -m unittest discover python/tests
"""

import importlib.util
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from test_engine import folder


def has(name):
    return importlib.util.find_spec(name) is not None


class Framework:
    @classmethod
    def setUpClass(cls):
        import headrace

        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.data = folder(os.path.join(work.name, "data"), 60)
        cls.options = {"batch_size": 8, "num_workers": 1, "seed": 4, "shm": work.name}
        cls.expected = {}
        for dtype in "uint8", "float32", "bfloat16":
            with headrace.Loader(cls.data, **cls.given(dtype)) as loader:
                cls.expected[dtype] = [
                    [(b.images.copy(), b.labels.copy(), b.keys) for b in epoch]
                    for epoch in loader.epochs(2)
                ]

    @classmethod
    def given(cls, dtype):
        steps = "random_resized_crop=4,flip,%s,hwc" % dtype
        return {**cls.options, "pipeline": steps, "fields": ["key"]}

    def same(self, found, dtype, epoch):
        import numpy

        self.assertEqual(8, len(found))
        for (images, labels, keys), (wanted, numbers, names) in zip(found, self.expected[dtype][epoch]):
            if dtype == "bfloat16":
                images = numpy.asarray(images).view(numpy.uint16)
            self.assertEqual(wanted.dtype, images.dtype)
            self.assertTrue(bool((numpy.asarray(images) == wanted).all()))
            self.assertEqual(numbers.tolist(), numpy.asarray(labels).tolist())
            self.assertEqual(names, keys)


@unittest.skipUnless(has("tensorflow"), "no TensorFlow")
class Tensorflow(Framework, unittest.TestCase):
    def test_a_dataset_gives_an_epoch_each_time(self):
        import headrace

        for dtype in self.expected:
            with self.subTest(dtype), headrace.Loader(self.data, **self.given(dtype)) as loader:
                dataset = loader.to_tf_dataset()
                for epoch in range(2):
                    found = [
                        (images.numpy(), labels, [key.decode() for key in fields["key"].numpy()])
                        for images, labels, fields in dataset
                    ]
                    self.same(found, dtype, epoch)

    def test_a_dataset_of_samples_by_number(self):
        import headrace

        options = {**self.options, "pipeline": "resize=4x4,float32,hwc"}
        with headrace.Dataset(self.data, **options) as dataset:
            [(images, labels)] = dataset.to_tf_dataset(batch_size=60, shuffle=False)
            self.assertEqual([60, 4, 4, 3], images.shape.as_list())
            self.assertEqual(30 * [0] + 30 * [1], labels.numpy().tolist())


@unittest.skipUnless(has("jax"), "no JAX")
class Jax(Framework, unittest.TestCase):
    def test_batches_are_arrays_of_jax(self):
        import jax

        import headrace.jax

        for dtype in self.expected:
            for device in None, jax.devices("cpu")[0]:
                with headrace.jax.Loader(self.data, device=device, **self.given(dtype)) as loader:
                    for epoch in range(2):
                        kept = list(loader)
                        self.assertIsInstance(kept[0].images, jax.Array)
                        self.same([(b.images, b.labels, b.keys) for b in kept], dtype, epoch)
                    self.assertEqual("bfloat16" if dtype == "bfloat16" else dtype, str(kept[0].images.dtype))
        with headrace.jax.Loader(sources={self.data: 1}, **self.given("bfloat16")) as loader:
            self.assertIsInstance(loader, headrace.jax.Loader)
            self.same([(b.images, b.labels, b.keys) for b in loader], "bfloat16", 0)
        with self.assertRaisesRegex(ValueError, "its arrays never change"):
            headrace.jax.Loader(self.data, zero_copy="strict")


@unittest.skipUnless(has("numpy"), "no NumPy")
class Dlpack(unittest.TestCase):
    def test_a_batch_is_what_any_library_takes(self):
        import numpy

        import headrace

        with tempfile.TemporaryDirectory() as work:
            data = folder(os.path.join(work, "data"), 12)
            with headrace.Loader(data, batch_size=4, pipeline="resize=4x4,float32,chw", shm=work) as loader:
                batches = iter(loader)
                batch = next(batches)
                self.assertEqual((1, 0), batch.__dlpack_device__())
                seen, copied = numpy.from_dlpack(batch), batch.images.copy()
                del batch
                rest = list(batches)
                self.assertTrue((seen == copied).all())
                self.assertEqual(2, len(rest))


if __name__ == "__main__":
    unittest.main()
