"""What a diagnosis says of iterables whose bottleneck is known."""

import hashlib
import io
import json
import os
import sys
import tempfile
import time
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from headrace import diagnose as module
from headrace.diagnose import batch_size, consumer_rate, diagnose


class Sleepy:
    """Batches of ten that nobody computes."""

    def __iter__(self):
        for _ in range(7):
            time.sleep(0.05)
            yield [b"x"] * 10


class Busy:
    """Batches of ten that take a processor."""

    def __iter__(self):
        for _ in range(100):
            end = time.thread_time() + 0.02
            while time.thread_time() < end:
                hashlib.sha256(b"x" * 2000).digest()
            yield {"image": [b"x"] * 10}


class Diagnosing(unittest.TestCase):
    def test_waiting_without_work_is_told_from_work(self):
        found = diagnose(Sleepy(), "100000/s", seconds=2)
        self.assertEqual(found.bottleneck, "other")
        self.assertGreater(found.other_stall_share, 0.6)
        self.assertIn("nobody computes", found.verdict)
        found = diagnose(Busy(), "100000/s", seconds=2)
        self.assertEqual(found.bottleneck, "prep")
        self.assertGreater(found.prep_stall_share, 0.6)
        self.assertGreater(found.main_share, 0.5)
        self.assertIn("in the training process itself", found.verdict)

    def test_shares_add_up_and_follow_the_rates(self):
        found = diagnose(Sleepy(), 50, seconds=2)
        shares = found.prep_stall_share + found.fetch_stall_share + found.other_stall_share
        self.assertAlmostEqual(found.work_share + shares, 1)
        self.assertAlmostEqual(found.work_share, found.actual / found.ingest, delta=1e-6)
        self.assertLessEqual(found.actual, 50.001)

    def test_a_trainer_that_never_waits(self):
        found = diagnose([[1.0] * 10] * 5, "100/s", seconds=0.6)
        self.assertEqual(found.bottleneck, "none")
        self.assertIn("change nothing", str(found))

    def test_iterators_that_end_for_good_are_refused(self):
        with self.assertRaisesRegex(ValueError, "only once"):
            diagnose(iter([[1, 2]]), "100/s", seconds=0.2)
        with self.assertRaisesRegex(ValueError, "no batches"):
            diagnose([], "100/s", seconds=0.2)

    def test_rates(self):
        for text, rate in [("4155/s", 4155), ("2*resnet50", 8310), (" 0.5 ", 0.5), (12, 12)]:
            self.assertEqual(consumer_rate(text), rate)
        for text in ["", "fast", "0", "-1", "1e9", "0*resnet50"]:
            with self.assertRaisesRegex(ValueError, "expected samples a second"):
                consumer_rate(text)

    def test_presets_are_those_of_the_command(self):
        java = Path(__file__).resolve().parents[2] / "core/src/main/java/io/headrace/load/ConsumerRate.java"
        text = java.read_text(encoding="utf-8").replace("_", "")
        for name, rate in module.PRESETS.items():
            self.assertIn(f'PRESETS.put("{name}", {rate:.1f});', text)

    def test_batches_of_any_shape(self):
        class Array:
            shape = (6, 3)

        for batch, size in [
            (Array(), 6),
            ((Array(), [0] * 9), 6),
            ({"a": Array()}, 6),
            ([1, 2, 3], 3),
            ([b"x"] * 4, 4),
            (7, 1),
        ]:
            self.assertEqual(batch_size(batch), size)


class Command(unittest.TestCase):
    def run_script(self, text, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder, "train.py")
            script.write_text(text, encoding="utf-8")
            out, err, argv, path = io.StringIO(), io.StringIO(), sys.argv, list(sys.path)
            try:
                with redirect_stdout(out), redirect_stderr(err):
                    code = module.main([str(script), "--seconds", "0.4", *arguments])
            finally:
                sys.argv, sys.path[:] = argv, path
            return code, out.getvalue(), err.getvalue()

    def test_a_scripts_loader_is_found(self):
        code, out, _ = self.run_script(
            "def make():\n    return [[1] * 8] * 9\n", "--consumer", "50", "--iterable", "make", "--json"
        )
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(out)["ingest"], 50)
        code, out, _ = self.run_script("loader = [[1] * 8] * 9\n", "--consumer", "50")
        self.assertEqual(code, 0)
        self.assertIn("An epoch: ", out)

    def test_what_is_wrong_is_said_in_a_line(self):
        code, _, err = self.run_script("x = 1\n", "--consumer", "50")
        self.assertEqual(code, 2)
        self.assertIn("has no loader, train_loader, dataloader, batches", err)
        self.assertEqual(len(err.splitlines()), 1)
        self.assertEqual(self.run_script("loader = []\n", "--consumer", "x")[0], 2)


@unittest.skipUnless(sys.platform == "linux", "states of threads are read from /proc")
class Watching(unittest.TestCase):
    def test_children_are_counted(self):
        class Workers:
            """As a loader with a worker process: it works, this process waits for its pipe."""

            def __iter__(self):
                read, write = os.pipe()
                child = os.fork()
                if child == 0:
                    try:
                        for _ in range(15):
                            end = time.process_time() + 0.02
                            while time.process_time() < end:
                                hashlib.sha256(b"x" * 2000).digest()
                            os.write(write, b"b")
                    finally:
                        os._exit(0)
                os.close(write)
                while os.read(read, 1):
                    yield [b"x"] * 10
                os.close(read)
                os.waitpid(child, 0)

        found = diagnose(Workers(), "100000/s", seconds=2.4)
        self.assertEqual(found.bottleneck, "prep")
        self.assertGreaterEqual(found.workers, 1)
        self.assertLess(found.main_share, 0.5)


if __name__ == "__main__":
    unittest.main()
