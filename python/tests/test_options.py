# SPDX-License-Identifier: Apache-2.0
"""Every argument means what it says or is refused in one line. HEADRACE is the command."""

import contextlib
import io
import os
import re
import subprocess
import tempfile
import unittest
import warnings

from plain import Plain
from test_engine import STEPS, folder

from headrace import BadRequest, HeadraceError, _engine, _options


class Words(unittest.TestCase):
    def words(self, **given):
        return " ".join(_options.words(given))

    def test_arguments_are_options(self):
        self.assertEqual(
            "--batch=3 --on-error=skip --exact",
            self.words(batch=3, on_error="skip", exact=True, cold=False, seed=None),
        )
        self.assertEqual("--fast --order=", self.words(exact=False, order=""))
        self.assertEqual("--exact", self.words(fast=False))
        self.assertEqual(
            "--split=val --classes=a/b --features=image=img,label= --folders-are-classes",
            self.words(
                split="val",
                classes=os.path.join("a", "b"),
                features={"image": "img", "label": ""},
                folders_are_classes=True,
            ),
        )
        self.assertEqual("--features=image=img", self.words(features="image=img"))
        with self.assertRaises(TypeError):
            self.words(features={"image": 3})
        self.assertEqual("--rank=1/4 --max-bad=7", self.words(rank=(1, 4), max_bad=7))
        self.assertEqual("--plan=a/b --shm=c", self.words(plan=os.path.join("a", "b"), shm=b"c"))

    def test_those_of_data_loader_mean_the_same(self):
        self.assertEqual("--batch=7", self.words(batch_size=7))
        self.assertEqual("--order=sequential", self.words(shuffle=False))
        self.assertEqual("--order=full", self.words(shuffle=True))
        self.assertEqual("--last-batch=drop", self.words(drop_last=True))
        self.assertEqual("--last-batch=partial", self.words(drop_last=False))
        self.assertEqual("--threads=3", self.words(num_workers=3))
        self.assertEqual("--threads=1", self.words(num_workers=0))

    def test_seeds_have_64_bits(self):
        for seed, told in (
            (2**64 - 1, -1),
            (2**63, -(2**63)),
            (2**63 - 1, 2**63 - 1),
            (-1, -1),
            (-(2**63), -(2**63)),
            (0, 0),
        ):
            self.assertEqual("--seed=%d" % told, self.words(seed=seed))

    def test_what_makes_no_sense_is_refused_in_one_line(self):
        for expected, given in (
            ("'shufle'.*'shuffle'", dict(shufle=False)),
            ("'batchsize'.*'batch_size'", dict(batchsize=None)),
            ("'no_such_thing'", dict(no_such_thing=False)),
            ("'sampler'.*order=", dict(sampler=None)),
            ("'socket_'", dict(socket_=1)),
            ("batch=True: expected a whole number", dict(batch=True)),
            ("batch='3'", dict(batch="3")),
            ("batch=3.0", dict(batch=3.0)),
            ("seed=1.5", dict(seed=1.5)),
            ("shuffle=None", dict(shuffle=None)),
            ("shuffle=0", dict(shuffle=0)),
            ("drop_last='no'", dict(drop_last="no")),
            ("batch_size=None", dict(batch_size=None)),
            ("num_workers=None", dict(num_workers=None)),
            ("exact=1", dict(exact=1)),
            ("order=False", dict(order=False)),
            ("pipeline=\\['flip'\\]", dict(pipeline=["flip"])),
            ("plan=3", dict(plan=3)),
            ("rank=3", dict(rank=3)),
            ("rank=", dict(rank=("0", "4"))),
            ("shuffle and order", dict(shuffle=True, order="full")),
            ("batch_size and batch", dict(batch_size=3, batch=3)),
            ("num_workers and threads", dict(threads=3, num_workers=3)),
            ("drop_last and last_batch", dict(drop_last=True, last_batch="pad")),
        ):
            with self.subTest(given), self.assertRaisesRegex(TypeError, expected) as caught:
                self.words(**given)
            self.assertNotIn("\n", str(caught.exception))
        for given in (
            dict(batch=0),
            dict(batch=2**31),
            dict(prefetch=1),
            dict(threads=5000),
            dict(num_workers=-1),
            dict(seed=2**64),
            dict(seed=-(2**63) - 1),
        ):
            with self.subTest(given), self.assertRaisesRegex(BadRequest, "expected a whole number"):
                self.words(**given)

    def test_every_option_of_the_command_is_an_argument(self):
        help = subprocess.run(
            [*_engine.find(), "serve", "--help"], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        elsewhere = "help version socket jobs flight tls-certificate tls-key tokens compress synthetic"
        found = set(re.findall(r"--([a-z][a-z-]+)", help)) - set(elsewhere.split())
        self.assertEqual(found, {name.replace("_", "-") for name in _options.OPTIONS})


class Started(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.work = work.name
        cls.data = folder(os.path.join(cls.work, "data"))

    def loader(self, data=None, **options):
        given = {"pipeline": STEPS, "num_workers": 1, "shm": self.work, **options}
        return Plain(data or self.data, **given)

    def test_what_data_loader_would_do(self):
        with self.loader(batch_size=7, shuffle=False, drop_last=True, seed=2**64 - 1) as loader:
            self.assertEqual(8, len(loader))
            for epoch in loader.epochs(2):
                labels = [label for batch in epoch for label in batch.labels]
                self.assertEqual(30 * [0] + 26 * [1], labels)
        with self.loader(batch_size=7, shuffle=True, drop_last=False) as loader:
            batches = list(loader)
            self.assertEqual(8 * [7] + [4], [len(batch) for batch in batches])
            labels = [label for batch in batches for label in batch.labels]
            self.assertEqual(30 * [0] + 30 * [1], sorted(labels))
            self.assertNotEqual(sorted(labels), labels)
            for argument, nonsense in ((loader.epoch, -1), (loader.epochs, -1)):
                with self.assertRaisesRegex(ValueError, "expected 0 or more"):
                    argument(nonsense)
            for argument, nonsense in ((loader.epoch, "1"), (loader.epochs, True)):
                with self.assertRaisesRegex(TypeError, "expected a whole number"):
                    argument(nonsense)

    def test_arguments_of_the_client_are_looked_at(self):
        for expected, given in (
            ("zero_copy='strikt': expected True or False, or 'strict'", dict(zero_copy="strikt")),
            ("zero_copy=None", dict(zero_copy=None)),
            ("pin_memory=1", dict(pin_memory=1)),
            ("epoch='2'", dict(epoch="2")),
            ("headrace=''", dict(headrace="")),
            ("headrace=\\[\\]", dict(headrace=[])),
        ):
            with self.assertRaisesRegex((TypeError, BadRequest), expected):
                self.loader(**given)
        with self.assertRaisesRegex(ValueError, "epoch=-1"):
            self.loader(epoch=-1)

    def test_nothing_is_said_twice(self):
        bad = os.path.join(self.work, "bad")
        folder(bad, 8)
        with open(os.path.join(bad, "class1", "0003.ppm"), "wb") as file:
            file.write(b"P6 nonsense")
        os.symlink("nowhere", os.path.join(bad, "class1", "broken.ppm"))
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            with self.assertRaisesRegex(BadRequest, "unknown error policy 'ignore'"):
                self.loader(bad, on_error="ignore")
            with self.loader(bad) as loader, self.assertRaisesRegex(HeadraceError, "0003.ppm"):
                for _ in loader:
                    pass
        self.assertEqual("", re.sub("(?m)^warning: .*\n", "", told.getvalue()))

    def test_no_label_at_all_is_said_once(self):
        flat = os.path.join(self.work, "flat")
        folder(flat, 8)
        command = [*_engine.find(), "convert", flat, flat + ".tfrecord", "--shards", "1"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pictures = os.path.join(self.work, "pictures")
        os.rename(os.path.join(flat, "class0"), pictures)
        for data, expected in ((pictures, 1), (flat + ".tfrecord", 0)):
            with warnings.catch_warnings(record=True) as told, self.loader(data, batch=2) as loader:
                warnings.simplefilter("always")
                for epoch in loader.epochs(2):
                    for _ in epoch:
                        pass
            lines = [str(w.message) for w in told]
            self.assertEqual(expected, sum("has a label" in line for line in lines), lines)
