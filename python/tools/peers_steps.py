#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts a pipeline at every place, and lets TensorFlow read what is stored there.
`./test --peers` uses it; see requirements-peers.txt for the packages.

    peers_steps.py sounds FOLDER RATE     writes three WAV files of two channels
    peers_steps.py cut SOURCE RATE        the sounds SOURCE through PRESTO's steps
    peers_steps.py cut SOURCE             the pictures SOURCE through PRESTO's steps

For every prefix of steps that draw no random numbers, `headrace convert --steps` stores TFRecords.
TensorFlow reads them as docs/steps.md and docs/sound.md say. Each tensor must be what the uncut
pipeline gives at that place, and the rest of the pipeline must give what the uncut one gives in the
end, bit for bit. The environment variable HEADRACE names the command.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import wave

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from headrace import Loader  # noqa: E402

PICTURES = "decode,resize_shorter=256,center,random_crop=224"  # presto-image
# presto-audio, and between its steps the rate that the sounds have and one length, for batches
SOUNDS = "decode,mono,resample=%s,pad_or_trim=frames=4000,log_mel=presto"
CROP = 96  # a window that every picture has


def sounds(folder, rate):
    os.makedirs(folder, exist_ok=True)
    noise = np.random.default_rng(7)
    for number in range(3):
        with wave.open(os.path.join(folder, "%d.wav" % number), "wb") as file:
            file.setparams((2, 2, rate, 0, "NONE", ""))
            frames = noise.integers(-9000, 9000, (rate // 2 + 500 * number, 2))
            file.writeframes(frames.astype("<i2").tobytes())


def stored(folder, dtype):
    """What TensorFlow reads: tensors by key."""
    import tensorflow as tf

    found = {}
    shards = sorted(str(path) for path in pathlib.Path(folder).glob("*.tfrecord"))
    for record in tf.data.TFRecordDataset(shards):
        kinds = {
            name: tf.io.FixedLenFeature([], tf.string, default_value="")
            for name in ("image/encoded", "image/filename", "audio/encoded", "audio/filename")
        }
        for name in ("audio/channels", "audio/frames"):
            kinds[name] = tf.io.FixedLenFeature([], tf.int64, default_value=0)
        sample = tf.io.parse_single_example(record, kinds)
        if sample["image/encoded"] != b"":
            tensor = tf.io.parse_tensor(sample["image/encoded"], dtype)
            key = sample["image/filename"]
        else:
            wav, channels = sample["audio/encoded"], sample["audio/channels"]
            if tf.strings.substr(wav, 20, 1) == b"\3":  # 32-bit fractions
                length = tf.cast(4 * sample["audio/frames"] * channels, tf.int32)
                flat = tf.io.decode_raw(tf.strings.substr(wav, -length, length), tf.float32)
                tensor = tf.reshape(flat, tf.stack([-1, channels]))
            else:  # 16 bits
                tensor = tf.audio.decode_wav(wav).audio
            key = sample["audio/filename"]
        found[key.numpy().decode()] = tensor.numpy()
    return found


def loaded(data, pipeline):
    """What the loader gives: arrays by key."""
    options = dict(pipeline=pipeline, order="stored", fields=["key"], batch=4, exact=True)
    found = {}
    with Loader(str(data), **options) as loader:
        for batch in loader:
            for slot in range(batch.valid):
                found[batch.keys[slot]] = np.array(batch.images[slot])
    return found


def has_window(whole, part):
    """Whether `part`, [height, width, 3], is somewhere in `whole`."""
    height, width, _ = part.shape
    corners = whole[: whole.shape[0] - height + 1, : whole.shape[1] - width + 1]
    places = np.argwhere((corners == part[0, 0]).all(axis=2))
    return any(np.array_equal(whole[y : y + height, x : x + width], part) for y, x in places)


def beginning(sound, frames):
    """[1, frames] of [frames, channels]: their mean, with silence after what is shorter."""
    mean = sound.mean(axis=1, dtype=np.float32)[:frames]
    return np.pad(mean, (0, frames - len(mean)))[None]


def cut(source, rate=None):
    sound = rate is not None
    steps = (SOUNDS % rate if sound else PICTURES).split(",")
    random = [step.startswith("random") for step in steps]
    last = random.index(True) if True in random else len(steps)
    final = loaded(source, ",".join(steps))
    assert final, "no samples"
    before = None
    for place in range(1, last + 1):
        prefix = ",".join(steps[:place])
        floats = sound or "center" in steps[:place]
        with tempfile.TemporaryDirectory() as work:
            out = os.path.join(work, "out")
            command = [os.environ["HEADRACE"], "convert", source, out, "--steps", prefix]
            subprocess.run([*command, "--shards", "2"], check=True, stdout=subprocess.DEVNULL)
            theirs = stored(out, "float32" if floats else "uint8")
            continued = loaded(out, ",".join(steps))
        assert theirs.keys() == final.keys() == continued.keys(), (theirs.keys(), final.keys())
        spectrogram = sound and place == len(steps)
        if spectrogram:
            uncut = final
        else:
            rest = steps[place:-1] if sound else ["random_crop=%d" % CROP]
            uncut = loaded(source, ",".join(steps[:place] + rest))
        for key, tensor in theirs.items():
            where = "after '%s', %s" % (prefix, key)
            assert tensor.dtype == uncut[key].dtype, where
            if spectrogram:
                assert np.array_equal(tensor, uncut[key]), where
            elif sound:
                assert np.array_equal(beginning(tensor, uncut[key].shape[1]), uncut[key]), where
            else:
                assert has_window(tensor, uncut[key]), where
                if place == last:
                    assert has_window(tensor, final[key]), where
            if steps[place - 1] == "center":  # TensorFlow goes on from the cut before
                assert np.array_equal(before[key] / np.float32(127.5) - 1, tensor), where
            assert np.array_equal(continued[key], final[key]), where + ", continued"
        before = theirs
        print("after '%s': %d tensors" % (prefix, len(theirs)))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in ("sounds", "cut"):
        sys.exit(__doc__)
    if sys.argv[1] == "sounds":
        sounds(sys.argv[2], int(sys.argv[3]))
    else:
        cut(*sys.argv[2:])
