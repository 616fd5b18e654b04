# SPDX-License-Identifier: Apache-2.0
"""Laws of engine and consumer as two processes. HEADRACE is the command; no package is needed.

    HEADRACE=$PWD/headrace python3 -m unittest discover python/tests
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

from plain import Plain

from headrace import BadData, BadRequest, EngineDied, HeadraceError, _engine, _wire

STEPS = "random_resized_crop=4,flip,uint8,hwc"
SECONDS = 10  # in which everybody has noticed
TEST = os.path.abspath(__file__)


def folder(to, count=60, edge=8):
    """Pictures of noise in two classes."""
    for number in range(count):
        name = os.path.join(to, "class%d" % (number % 2), "%04d.ppm" % number)
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(b"P6\n%d %d\n255\n" % (edge, edge))
            file.write(bytes((number * 31 + i * 7) % 256 for i in range(edge * edge * 3)))
    return to


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def ends(pid):
    limit = time.monotonic() + SECONDS
    while alive(pid) and time.monotonic() < limit:
        time.sleep(0.02)
    return not alive(pid)


class Engine(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = work.name
        self.data = folder(os.path.join(self.work, "data"))
        self.shm = os.path.join(self.work, "shm")
        os.mkdir(self.shm)

    def loader(self, **options):
        options = {"pipeline": STEPS, "batch": 4, "threads": 1, "shm": self.shm, **options}
        return Plain(options.pop("data", self.data), **options)

    def nothing_left(self):
        self.assertEqual([], os.listdir(self.shm))

    def test_what_arrives_is_what_load_delivers(self):
        command = [*_engine.find(), "load", self.data, "--pipeline", STEPS, "--batch", "4"]
        command += ["--seed", "5", "--epochs", "2", "--json"]
        load = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with self.loader(seed=5, digest=True) as loader:
            self.assertEqual(15, len(loader))
            self.assertEqual(["class0", "class1"], loader.classes)
            for epoch in loader.epochs(2):
                self.assertEqual(60, sum(batch.valid for batch in epoch))
                self.assertIn(b'"digest" : "%s"' % loader.report["digest"].encode(), load.stdout)
                self.assertTrue(loader.report["verified"])
            self.nothing_left()  # nor was there ever a name
            process = loader._engine.process
        self.assertEqual(0, process.wait(SECONDS))

    def test_an_exchanged_shard_is_said(self):
        other = folder(os.path.join(self.work, "other"))
        os.rename(os.path.join(other, "class1", "0059.ppm"), os.path.join(other, "class1", "z059.ppm"))
        for name in ("data", "other"):
            command = [*_engine.find(), "convert", os.path.join(self.work, name)]
            command += [os.path.join(self.work, name + "-shards"), "--shards", "2"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shard = os.path.join(self.work, "%s-shards", "data-00001-of-00002.tfrecord")
        os.replace(shard % "other", shard % "data")
        with self.loader(data=os.path.join(self.work, "data-shards")) as loader:
            with self.assertWarnsRegex(UserWarning, "the samples' digest is"):
                self.assertEqual(60, sum(batch.valid for batch in loader))
            self.assertFalse(loader.report["verified"])
            process = loader._engine.process
        self.assertEqual(3, process.wait(SECONDS))

    def test_a_state_knows_the_classes(self):
        with self.loader() as loader:
            next(iter(loader))
            state = loader.state()
        os.mkdir(os.path.join(self.data, "class0-empty"))
        with self.assertRaisesRegex(BadRequest, "list of classes"):
            self.loader(state=state)

    def test_a_killed_engine_is_an_error_at_once(self):
        with self.loader() as loader:
            batches = iter(loader)
            next(batches)
            os.kill(loader.hello["pid"], signal.SIGKILL)
            begin = time.monotonic()
            with self.assertRaises(EngineDied) as caught:
                for _ in loader.epochs(1000):
                    for _ in batches:
                        pass
                    batches = iter(loader)
            self.assertLess(time.monotonic() - begin, SECONDS)
            self.assertEqual(-signal.SIGKILL, caught.exception.status)
            self.assertIn("SIGKILL", str(caught.exception))
        self.nothing_left()

    def consumer(self, number):
        """Sends a consumer that iterates for ever the signal; its exit status."""
        command = [sys.executable, TEST, self.data, self.shm]
        consumer = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            pid = int(consumer.stdout.readline())
            consumer.send_signal(number)
            consumer.wait(SECONDS)
            self.assertTrue(ends(pid), "the engine outlives its consumer")
        finally:
            consumer.kill()
            consumer.communicate()
        self.nothing_left()
        return consumer.returncode

    def test_the_engine_of_a_killed_consumer_ends(self):
        self.assertEqual(-signal.SIGKILL, self.consumer(signal.SIGKILL))

    def test_ctrl_c_ends_both(self):
        self.assertNotEqual(0, self.consumer(signal.SIGINT))

    def test_too_little_shared_memory_is_told_at_the_start(self):
        limited = os.path.join(self.work, "limited")  # files of 64 KiB at most
        with open(limited, "w") as file:
            file.write('#!/bin/sh\nulimit -f 128\nexec "%s" "$@"\n' % _engine.find()[0])
        os.chmod(limited, 0o755)
        with self.assertRaises(BadRequest) as caught:
            self.loader(headrace=limited, batch=64, pipeline="resize=64x64,float32,chw")
        told = str(caught.exception)
        self.assertRegex(told, r"needs 12587072 bytes, available are \d+ \(File too large\)")
        self.assertIn("--shm", told)
        self.nothing_left()

    def test_a_bad_sample_names_its_place(self):
        target = os.path.join(self.work, "records")
        command = [*_engine.find(), "convert", self.data, target, "--shards", "1"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (name,) = [n for n in os.listdir(target) if "tfrecord" in n and not n.endswith(".idx")]
        with open(os.path.join(target, name), "r+b") as file:
            file.seek(9000)
            byte = file.read(1)
            file.seek(9000)
            file.write(bytes([byte[0] ^ 255]))
        with self.loader(data=target, order="sequential") as loader:
            with self.assertRaises(BadData) as caught:
                for _ in loader:
                    pass
            bad = caught.exception
            self.assertTrue(bad.file.endswith(name), bad.file)
            self.assertGreater(bad.record, 0)
            self.assertLess(0, bad.offset)
            self.assertLess(bad.offset, 9000)
            self.assertIn("offset=%d" % bad.offset, str(bad))
            process = loader._engine.process
        self.assertEqual(3, process.wait(SECONDS))

    def test_a_bad_file_names_its_key(self):
        with open(os.path.join(self.data, "class1", "0013.ppm"), "wb") as file:
            file.write(b"P6 nonsense")
        with self.loader(order="sequential") as loader:
            with self.assertRaises(BadData) as caught:
                for _ in loader:
                    pass
            self.assertEqual("class1/0013.ppm", caught.exception.key)
            self.assertTrue(caught.exception.file.endswith("0013.ppm"))

    def test_names_beyond_ascii_in_the_locale_c(self):
        data = folder(os.path.join(self.work, "фото"), 12)
        os.rename(os.path.join(data, "class1"), os.path.join(data, "кошки 犬"))
        with open(os.path.join(data, "кошки 犬", "é.ppm"), "wb") as file:
            file.write(b"P6 nonsense")
        with unittest.mock.patch.dict(os.environ, LC_ALL="C"):
            with self.loader(data=data, order="sequential") as loader:
                self.assertEqual(["class0", "кошки 犬"], loader.classes)
                with self.assertRaises(BadData) as caught:
                    for _ in loader:
                        pass
                self.assertEqual("кошки 犬/é.ppm", caught.exception.key)
                self.assertTrue(os.path.exists(caught.exception.file), caught.exception.file)
            with self.assertRaisesRegex(FileNotFoundError, "нет"):
                self.loader(data=os.path.join(data, "нет"))

    def test_what_cannot_start_says_why(self):
        for name in ("missing", "miss*.tar", "@missing", "-missing", ""):
            with self.assertRaisesRegex(FileNotFoundError, name.replace("*", ".")) as caught:
                self.loader(data=name and os.path.join(self.work, name))
            self.assertIsInstance(caught.exception, HeadraceError)
            self.assertEqual(1, str(caught.exception).count(name or "no such file"))
        for name in ("-missing", "@missing"):
            with self.assertRaisesRegex(FileNotFoundError, "./" + name):
                self.loader(data=name)
        with self.assertRaisesRegex(BadRequest, "unknown order 'backwards'"):
            self.loader(order="backwards")
        with self.assertRaisesRegex(BadRequest, "HEADRACE"):
            self.loader(headrace="/no/such/command")
        with self.assertRaisesRegex(BadRequest, "no engine at"):
            Plain(socket=os.path.join(self.work, "nobody.sock"))

    def test_a_state_of_another_seed_is_refused(self):
        with self.loader(seed=1) as loader:
            next(iter(loader))
            state = loader.state()
        with self.assertRaisesRegex(BadRequest, "seed is '1'.*'2'"):
            self.loader(seed=2, state=state)


class Hostile(unittest.TestCase):
    """An engine that talks nonsense is an error, never a hang."""

    def hear(self, *sent):
        import socket

        ours, its = socket.socketpair()
        with its, ours:
            for part in sent:
                its.sendall(part)
            its.shutdown(socket.SHUT_WR)
            with self.assertRaises(HeadraceError) as caught:
                _wire.Connection(ours, lambda: EngineDied("it ended"), 1)
        return str(caught.exception)

    def test_nonsense(self):
        def frame(text):
            return len(text).to_bytes(4, "little") + text

        self.assertEqual("it ended", self.hear())
        self.assertEqual("it ended", self.hear(b"\x05\0\0\0{}"))
        self.assertIn("4294967295 bytes", self.hear(b"\xff" * 4))
        self.assertIn("not JSON", self.hear(frame(b"what?")))
        self.assertIn("not a JSON object", self.hear(frame(b"[1]")))
        self.assertIn("expected hello", self.hear(frame(b'{"type":"batch"}')))
        self.assertIn("makes no sense", self.hear(frame(b'{"type":"hello","protocol":1}')))
        self.assertIn("protocol 9", self.hear(frame(b'{"type":"hello","protocol":9}')))
        self.assertIn("no reason", self.hear(frame(b'{"type":"error","run":-1}')))

    def test_silence(self):
        import socket

        ours, its = socket.socketpair()
        with its, ours:
            with self.assertRaisesRegex(EngineDied, "says nothing for 0.1 s"):
                _wire.Connection(ours, lambda: EngineDied("it ended"), 0.1)


def consume(data, shm):
    loader = Plain(data, pipeline=STEPS, batch=4, threads=1, shm=shm)
    batches = iter(loader)
    next(batches)
    print(loader.hello["pid"], flush=True)
    while True:
        for _ in batches:
            pass
        batches = iter(loader)


if __name__ == "__main__":
    # Who starts the tests in the background may have it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    consume(*sys.argv[1:])
