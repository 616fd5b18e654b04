# SPDX-License-Identifier: Apache-2.0
"""What the package's documentation shows is what happens. Modules of packages that are not there are
left out."""

import doctest
import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import headrace
from test_engine import folder

OTHERS = {"torch", "jax", "tensorflow"}
WITHOUT = """
import sys
sys.path.insert(0, {path!r})
for name in {others!r}:
    sys.modules[name] = None
from headrace import Dataset, Loader
with Loader({data!r}, batch_size=4, pipeline="resize=4x4,float32,chw", shm={shm!r}) as loader:
    print(sum(len(images) for images, labels in loader))
"""


class Documented(unittest.TestCase):
    def test_examples(self):
        tried = 0
        for module in pkgutil.iter_modules(headrace.__path__):
            if module.name == "__main__":
                continue
            try:
                found = importlib.import_module("headrace." + module.name)
            except ModuleNotFoundError as error:
                self.assertIn(error.name, OTHERS)
                continue
            result = doctest.testmod(found)
            self.assertEqual(0, result.failed, module.name)
            tried += result.attempted
        self.assertGreaterEqual(tried, 6)

    def test_all_that_is_offered_is_documented(self):
        for name in headrace.__all__:
            self.assertTrue(getattr(headrace, name).__doc__, name)

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "no NumPy")
    def test_numpy_is_enough(self):
        with tempfile.TemporaryDirectory() as work:
            data = folder(os.path.join(work, "data"), 6)
            path = os.path.dirname(os.path.dirname(os.path.abspath(headrace.__file__)))
            text = WITHOUT.format(path=path, others=sorted(OTHERS), data=data, shm=work)
            done = subprocess.run([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
            self.assertEqual("6\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
