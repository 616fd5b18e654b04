# SPDX-License-Identifier: Apache-2.0
"""Laws of fields: captions, boxes, arrays and keys come with their images, whole and in order."""

import importlib.util
import io
import json
import os
import pickle
import struct
import sys
import tarfile
import tempfile
import unittest
import warnings
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import headrace
from headrace import BadData, BadRequest, HeadraceError, Ragged, Texts

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
HAS_TORCH = HAS_NUMPY and importlib.util.find_spec("torch") is not None
SAMPLES = 20
STEPS = "resize=4x4,uint8,hwc"


def npy(kind, shape, content):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % (kind, shape)
    head = head.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + content


def caption(k):
    return "" if k % 4 == 0 else "%d × café " % k * (k % 4)


def boxes(k):
    return [[k, row, 2.5, 3] for row in range(k % 3)]


def archive(path, count=SAMPLES):
    """A WebDataset with members of every kind; sample 7 has neither caption nor age."""
    with tarfile.open(path, "w") as tar:
        for k in range(count):
            members = {
                "ppm": b"P6\n4 4\n255\n" + bytes([k] * 48),
                "cls": b"%d" % (k % 3),
                "json": json.dumps({"boxes": boxes(k), "about": {"where": "row %d" % k}}).encode(),
                "emb.npy": npy(">i2", (2, 3), b"".join((6 * k + i).to_bytes(2, "big") for i in range(6))),
                "raw": bytes([255, k]),
            }
            if k != 7:
                members["txt"] = caption(k).encode()
                members["age"] = b"%d" % (k + 20)
            for name, content in members.items():
                entry = tarfile.TarInfo("%03d.%s" % (k, name))
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return path


def png(width, height, rows):
    """A PNG of one channel, whose numbers are those of a palette."""

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
    pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"PLTE", bytes(768)) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


class Fields:
    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.data = archive(os.path.join(work.name, "data-0000.tar"))
        cls.shm = work.name

    @classmethod
    def loader(cls, fields, **options):
        given = {"pipeline": STEPS, "batch_size": 8, "num_workers": 2, "seed": 4, "shm": cls.shm}
        return cls.Loader(cls.data, **{**given, **options}, fields=fields)

    def test_every_value_comes_with_its_image(self):
        names = ["image", "label", "key", "txt", "json.boxes", "json.about.where", "emb.npy", "age:fill=-1"]
        for zero_copy in (True, False, "strict"):
            seen = 0
            with self.loader(names, zero_copy=zero_copy) as loader:
                for batch in loader:
                    self.assertEqual(set(names[2:-1]) | {"age"}, set(batch.fields))
                    for i, image in enumerate(batch.images):
                        k = int(image[0][0][0])
                        lacks = k == 7
                        self.assertEqual("%03d.ppm" % k, batch.keys[i])
                        self.assertEqual(k % 3, int(batch.labels[i]))
                        self.assertEqual("" if lacks else caption(k), batch.fields["txt"][i])
                        self.assertEqual(boxes(k), batch.fields["json.boxes"][i].tolist())
                        self.assertEqual("row %d" % k, batch.fields["json.about.where"][i])
                        expected = [[6 * k + 3 * row + c for c in range(3)] for row in range(2)]
                        self.assertEqual(expected, batch.fields["emb.npy"][i].tolist())
                        self.assertEqual(-1 if lacks else k + 20, int(batch.fields["age"][i]))
                        seen += 1
            self.assertEqual(SAMPLES, seen)
            self.assertEqual({"txt": 1, "age": 1}, loader.report["missing"])

    def test_what_is_kept_stays(self):
        with warnings.catch_warnings(), self.loader("key,txt,emb.npy,json.boxes") as loader:
            warnings.simplefilter("ignore")
            kept = [batch for epoch in loader.epochs(3) for batch in epoch]
        for batch in kept:
            copy, pickled = batch.copy(), pickle.loads(pickle.dumps(batch))
            for i, image in enumerate(batch.images):
                k = int(image[0][0][0])
                for each in (batch, copy, pickled):
                    self.assertEqual("%03d.ppm" % k, each.keys[i])
                    self.assertEqual(6 * k, int(each.fields["emb.npy"][i][0][0]))
                    self.assertEqual(boxes(k), each.fields["json.boxes"][i].tolist())

    def test_values_of_several_sources_come_with_their_images(self):
        other, names = archive(os.path.join(self.shm, "other-0000.tar")), "key,txt,emb.npy,json.boxes"
        given = {"pipeline": STEPS, "batch_size": 7, "samples": 42, "num_workers": 1, "shm": self.shm}
        with self.Loader(sources={self.data: 2, other: 1}, fields=names, **given) as loader:
            counts = [0] * SAMPLES
            for batch in loader:
                for i, image in enumerate(batch.images):
                    k = int(image[0][0][0])
                    counts[k] += 1
                    self.assertEqual("%03d.ppm" % k, batch.keys[i])
                    self.assertEqual("" if k == 7 else caption(k), batch.fields["txt"][i])
                    self.assertEqual(6 * k, int(batch.fields["emb.npy"][i][0][0]))
                    self.assertEqual(boxes(k), batch.fields["json.boxes"][i].tolist())
            self.assertEqual((42, 1), (sum(counts), min(counts)))  # 28 of 20, and 14 of the other 20

    def test_views_lie_beside_their_image(self):
        steps = "brightness=0.5-1.5,resize=4x4,uint8,hwc"
        seen = 0
        with self.loader("key", pipeline="views=2," + steps) as two, self.loader(None, pipeline=steps) as one:
            for batch, plain in zip(two, one, strict=True):
                view = batch.fields["view_1"]
                self.assertEqual((tuple(batch.images.shape), batch.images.dtype), (tuple(view.shape), view.dtype))
                self.assertEqual(plain.images.tolist(), batch.images.tolist())
                for key, image, other in zip(batch.keys, batch.images.tolist(), view.tolist(), strict=True):
                    seen += image != other and 0.3 < (other[0][0][0] + 1) / (int(key[:3]) + 1) < 1.7
        self.assertGreater(seen, SAMPLES // 2)

    def test_ragged_values_split(self):
        with self.loader("json.boxes:float32") as loader:
            for batch in loader:
                ragged = batch.fields["json.boxes"]
                self.assertIsInstance(ragged, Ragged)
                self.assertEqual([len(ragged.values), 4], list(ragged.values.shape))
                self.assertEqual(len(batch), len(ragged))
                self.assertEqual([part.tolist() for part in ragged.split()], [p.tolist() for p in ragged])
                self.assertEqual(len(ragged.values), int(ragged.offsets[-1]))
                with self.assertRaises(IndexError):
                    ragged[len(batch)]

    def test_masks_are_cropped_as_their_images_are(self):
        root = os.path.join(self.shm, type(self).__name__)
        for name in ("images", "masks"):
            os.makedirs(os.path.join(root, name))
        for k in range(10):
            rows = [[(7 * y + 3 * x + k) % 200 for x in range(20)] for y in range(16)]
            with open(os.path.join(root, "images", "%d.ppm" % k), "wb") as file:
                file.write(b"P6\n20 16\n255\n" + b"".join(bytes([v, v, v]) for row in rows for v in row))
            with open(os.path.join(root, "masks", "%d.png" % k), "wb") as file:
                file.write(png(20, 16, rows))
        given = {"pipeline": "random_crop=9x7,flip,uint8,hwc", "batch_size": 4, "seed": 4, "shm": self.shm}
        seen = 0
        with self.Loader(root, pair="images=masks", fields=["mask"], **given) as loader:
            for epoch in loader.epochs(2):
                for images, masks in ((b.images, b.fields["mask"]) for b in epoch):
                    self.assertEqual([len(images), 9, 7], list(masks.shape))
                    self.assertEqual(images[..., 0].tolist(), masks.tolist())
                    seen += len(masks)
        self.assertEqual(20, seen)

    def test_arrays_lie_in_a_folder_beside_the_images(self):
        root = os.path.join(self.shm, type(self).__name__ + "-arrays")
        for name in ("images", "embeddings"):
            os.makedirs(os.path.join(root, name))
        for k in range(6):
            with open(os.path.join(root, "images", "%d.ppm" % k), "wb") as file:
                file.write(b"P6\n4 4\n255\n" + bytes([k] * 48))
            with open(os.path.join(root, "embeddings", "%d.npy" % k), "wb") as file:
                file.write(npy(">f4", (2, 2), struct.pack(">4f", k, -k, k / 2, 1e9)))
        pair, packed = "images=embeddings:embedding", root + "-packed"
        headrace.convert(root, packed, pair=pair, format="race", shards=1)
        for data, options in ((root, {"pair": pair}), (packed, {})):
            given = {"pipeline": STEPS, "batch_size": 4, "shm": self.shm, **options}
            with self.Loader(data, fields=["embedding"], **given) as loader:
                seen = set()
                for batch in loader:
                    values = batch.fields["embedding"]
                    self.assertEqual("float32", str(values.dtype).removeprefix("torch."))
                    for image, found in zip(batch.images, values.tolist()):
                        k = int(image[0][0][0])
                        self.assertEqual([[k, -k], [k / 2, 1e9]], found)
                        seen.add(k)
                self.assertEqual(set(range(6)), seen)
                self.assertFalse(loader.report.get("missing"))
        with open(os.path.join(root, "embeddings", "3.npy"), "r+b") as file:
            file.truncate(140)
        with self.Loader(root, pair=pair, fields=["embedding"], pipeline=STEPS, shm=self.shm) as loader:
            with self.assertRaisesRegex(HeadraceError, "3.npy|embedding"):
                list(loader)


@unittest.skipUnless(HAS_NUMPY, "needs NumPy")
class NumPy(Fields, unittest.TestCase):
    if HAS_NUMPY:
        from headrace import Loader

    def test_bytes_come_as_they_are(self):
        with self.loader("raw:bytes,emb.npy:bytes") as loader:
            for batch in loader:
                for i, image in enumerate(batch.images):
                    self.assertEqual([255, int(image[0][0][0])], batch.fields["raw"][i].tolist())
                    self.assertEqual(0x93, int(batch.fields["emb.npy"][i][0]))

    def test_without_fields_there_are_none(self):
        with self.loader(None) as plain, self.loader("txt") as with_text:
            for one, other in zip(plain, with_text, strict=True):
                self.assertEqual({}, one.fields)
                self.assertEqual(one.images.tolist(), other.images.tolist())
                with self.assertRaisesRegex(HeadraceError, "fields="):
                    one.keys
            self.assertEqual(plain.report["digest"], with_text.report["digest"])

    def test_errors_name_the_field_and_what_to_do(self):
        with self.assertRaisesRegex(BadRequest, "no field 'text'.*found age, .*txt"):
            self.loader("text")
        with self.assertRaisesRegex(BadRequest, "asked for as numbers"):
            self.loader("txt:float32")
        with self.assertRaises(TypeError):
            self.loader(["txt", 3])
        with self.loader("age") as loader, self.assertRaises(BadData) as bad:
            list(loader)
        self.assertIn("age:fill=", str(bad.exception))
        self.assertEqual("007.ppm", bad.exception.key)
        with self.loader("txt:max=16") as loader, self.assertRaisesRegex(BadData, "txt:max="):
            list(loader)

    def test_samples_that_lack_a_value_can_be_skipped(self):
        with self.loader("age,key", on_error="skip", order="sequential") as loader:
            keys = [key for batch in loader for key in batch.keys]
        self.assertEqual(["%03d.ppm" % k for k in range(SAMPLES) if k != 7], keys)
        self.assertEqual(1, loader.report["skipped"])

    def test_a_cache_keeps_fields(self):
        for cache in ("minio:1MiB", "lru:1MiB", "lru:1MiB:decoded"):
            with self.loader("key,txt", cache=cache, order="sequential") as loader:
                for epoch in loader.epochs(3):
                    texts = [text for batch in epoch for text in batch.fields["txt"]]
                    self.assertEqual(["" if k == 7 else caption(k) for k in range(SAMPLES)], texts)


@unittest.skipUnless(HAS_TORCH, "needs PyTorch")
class Torch(Fields, unittest.TestCase):
    if HAS_TORCH:
        from headrace.torch import Loader


class TextsAlone(unittest.TestCase):
    def test_they_are_a_sequence(self):
        import array

        texts = Texts(memoryview(array.array("q", [0, 2, 2, 5])).cast("B"), b"ab\xe2\x82\xac")
        self.assertEqual(["ab", "", "€"], list(texts))
        self.assertEqual("€", texts[-1])
        self.assertEqual(texts, pickle.loads(pickle.dumps(texts)))
        self.assertEqual(3, len(texts))
        with self.assertRaises(IndexError):
            texts[3]


if __name__ == "__main__":
    unittest.main()
