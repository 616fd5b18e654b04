#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes iou-crops.json: windows and boxes of torchvision v2's RandomIoUCrop for Headrace's draws.

Run with torchvision 0.29: `python3 generate_iou_crops.py > iou-crops.json`
"""

import json

import torch
from torchvision import tv_tensors
from torchvision.transforms import v2

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Draws:
    """io.headrace.random.CounterRandom, in place of torch's generator."""

    def __init__(self, seed, epoch, sample):
        key = mix((seed + GOLDEN) & MASK)
        key = mix(key ^ ((epoch + GOLDEN) & MASK))
        self.key, self.count = mix(key ^ ((sample + GOLDEN) & MASK)), 0

    def long(self):
        self.count += 1
        return mix((self.key + GOLDEN * self.count) & MASK)

    def rand(self, n):
        return torch.tensor([(self.long() >> 40) * 2.0**-24 for _ in range(n)], dtype=torch.float32)

    def randint(self, low, high, size):
        return torch.tensor(low + (self.long() * (high - low) >> 64))


def main():
    height, width = 375, 500
    boxes = [[20, 30, 120.5, 200], [300, 10, 480, 350.25], [0, 0, 500, 375], [240, 180, 262, 199], [5, 300, 60, 372]]
    results, rand, randint = [], torch.rand, torch.randint
    for sample in range(60):
        count = sample % len(boxes) + 1
        given = tv_tensors.BoundingBoxes(boxes[:count], format="XYXY", canvas_size=(height, width), dtype=torch.float32)
        image = tv_tensors.Image(torch.zeros(1, height, width, dtype=torch.uint8))
        draws = Draws(1, 2, sample)
        torch.rand, torch.randint = draws.rand, draws.randint
        try:
            made, moved = v2.RandomIoUCrop()(image, given)
        finally:
            torch.rand, torch.randint = rand, randint
        results.append({"size": list(made.shape[1:]), "draws": draws.count, "boxes": moved.tolist()})
    print(json.dumps({"height": height, "width": width, "boxes": boxes, "results": results}))


main()
