# SPDX-License-Identifier: Apache-2.0
"""Laws of sound: samples and spectrograms arrive as the pipeline says, from any container."""

import importlib.util
import math
import os
import sys
import tempfile
import unittest
import wave

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from headrace import Loader

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
RATE = 8000
COUNT = 6


def value(sound, i):
    return round(9000 * math.sin(i * (0.03 + 0.01 * sound)))


def write(folder):
    """Six sounds of two classes, each a little longer than the one before."""
    for k in range(COUNT):
        os.makedirs(os.path.join(folder, "ab"[k % 2]), exist_ok=True)
        with wave.open(os.path.join(folder, "ab"[k % 2], "%d.wav" % k), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            samples = [value(k, i) for i in range(700 + 50 * k)]
            file.writeframes(b"".join(x.to_bytes(2, "little", signed=True) for x in samples))
    return folder


@unittest.skipUnless(HAS_NUMPY, "needs numpy")
class Sound(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        self.folder = write(self.work.name)

    def test_samples_are_fractions_padded_with_silence(self):
        with Loader(self.folder, pipeline="mono,pad_or_trim=frames=800", batch=COUNT) as loader:
            (batch,) = list(loader)
        self.assertEqual((COUNT, 1, 800), batch.images.shape)
        self.assertEqual("float32", batch.images.dtype.name)
        lengths = set()
        for slot in range(COUNT):
            sound = batch.images[slot][0]
            matching = [
                k for k in range(COUNT) if all(sound[i] == value(k, i) / 32768 for i in range(700))
            ]
            self.assertEqual(1, len(matching))
            end = min(800, 700 + 50 * matching[0])
            self.assertFalse(sound[end:].any())
            self.assertEqual(matching[0] % 2, int(batch.labels[slot]))
            lengths.add(end)
        self.assertEqual({700, 750, 800}, lengths)

    def test_the_usual_pipeline_of_sounds_makes_spectrograms(self):
        with Loader(self.folder, batch=COUNT) as loader:
            (batch,) = list(loader)
        self.assertEqual((COUNT, 1000, 80), batch.images.shape)


if __name__ == "__main__":
    unittest.main()
