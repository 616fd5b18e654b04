#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A Python callable on each sample: `transform=` of our loader against the same in a DataLoader.

    bench/handoff/transform.py FOLDER [--workers 2]

Both crop at random to 224 × 224, flip, and call the same function in as many processes; ours decodes
in the engine, the DataLoader with Pillow. They take turns, each in a process of its own, whose first
epoch is not counted. Needs PyTorch, NumPy and Pillow.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(ROOT, "python"))
EDGE = 224


def options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", help="folder of classes")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3, help="timed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--run", choices=("ours", "theirs"), help=argparse.SUPPRESS)
    return parser.parse_args()


def jitter(image):
    """Brightness and contrast, and a square of noise: what users write with NumPy."""
    import numpy

    values = image.astype(numpy.float32) * random.uniform(0.8, 1.2) + random.uniform(-20, 20)
    image = numpy.clip(values, 0, 255).astype(numpy.uint8)
    row, column = random.randrange(EDGE - 32), random.randrange(EDGE - 32)
    noise = numpy.random.randint(0, 256, (32, 32, 3), numpy.uint8)
    image[row : row + 32, column : column + 32] = noise
    return image


class Pictures:
    """As torchvision's ImageFolder with RandomResizedCrop and RandomHorizontalFlip."""

    def __init__(self, folder, effect=jitter):
        self.files, self.effect = [], effect
        for number, name in enumerate(sorted(next(os.walk(folder))[1])):
            for place, _, files in os.walk(os.path.join(folder, name)):
                self.files += [(os.path.join(place, file), number) for file in sorted(files)]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        import numpy
        from PIL import Image

        path, label = self.files[index]
        with Image.open(path) as image:
            image = image.convert("RGB")
        width, height = image.size
        for _ in range(10):
            area = width * height * random.uniform(0.08, 1)
            ratio = 2 ** random.uniform(-0.415, 0.415)
            w, h = round((area * ratio) ** 0.5), round((area / ratio) ** 0.5)
            if 0 < w <= width and 0 < h <= height:
                break
        else:
            w, h = width, height
        x, y = random.randint(0, width - w), random.randint(0, height - h)
        image = image.resize((EDGE, EDGE), Image.BILINEAR, (x, y, x + w, y + h))
        if random.random() < 0.5:
            image = image.transpose(Image.FLIP_LEFT_RIGHT)
        pixels = numpy.asarray(image)
        return (self.effect(pixels) if self.effect else pixels.copy()), label


def epochs(job):
    """Numbers of samples, an epoch each."""
    if job.run == "ours":
        from headrace.torch import Loader

        loader = Loader(
            job.data,
            batch_size=job.batch,
            pipeline="random_resized_crop=%d,flip,uint8,hwc" % EDGE,
            transform=lambda image: jitter(image.numpy()),
            transform_workers=job.workers,
            prefetch=6,
            headrace=os.environ.get("HEADRACE", os.path.join(ROOT, "headrace")),
        )
    else:
        from torch.utils.data import DataLoader

        pictures = Pictures(job.data)
        loader = DataLoader(
            pictures,
            job.batch,
            shuffle=True,
            num_workers=job.workers,
            persistent_workers=True,
        )
    for _ in range(1 + job.epochs):
        count = 0
        for images, _ in loader:
            count += len(images)
        yield count
    getattr(loader, "close", lambda: None)()


def run(job):
    import torch

    torch.set_num_threads(1)
    counts = epochs(job)
    next(counts)
    begin = time.perf_counter()
    samples = sum(next(counts) for _ in range(job.epochs))
    seconds = time.perf_counter() - begin
    next(counts, None)
    print(json.dumps([samples, seconds]))


def measure(job, kind):
    """Samples a second, and by second of CPU time of the whole run."""
    words = [sys.executable, __file__, job.data, "--run", kind, "--workers", str(job.workers)]
    words += ["--batch", str(job.batch), "--epochs", str(job.epochs)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    samples, seconds = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return samples / seconds, samples * (1 + job.epochs) / job.epochs / used


def main():
    job = options()
    if job.run:
        run(job)
        return
    rates, costs = [], []
    for _ in range(job.rounds):
        ours, theirs = measure(job, "ours"), measure(job, "theirs")
        rates.append(ours[0] / theirs[0])
        costs.append(ours[1] / theirs[1])
        print("ours %.0f samples/s, %.0f a second of CPU; DataLoader %.0f and %.0f" % (*ours, *theirs))
    print("ours against DataLoader, median: %.2f by time" % statistics.median(rates))
    print("by CPU time, starts included: %.2f" % statistics.median(costs))


if __name__ == "__main__":
    main()
