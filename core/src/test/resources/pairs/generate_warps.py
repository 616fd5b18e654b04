"""Masks, boxes and points as torchvision v2 warps them (made with torchvision 0.29.2).

    python3 generate_warps.py      reads expected.json, writes warps.json beside itself
"""

import json
import os

import torch
from torchvision import tv_tensors
from torchvision.transforms.v2 import functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
HEIGHT, WIDTH = 29, 37
given = json.load(open(os.path.join(HERE, "expected.json")))
POINTS = [[0, 0], [36, 28], [10, 5], [20.5, 14.25], [3, 27]]
SEQUENCES = {
    "rotate=31..31": [lambda t: F.rotate(t, 31)],
    "rotate=-75..-75,flip=1": [lambda t: F.rotate(t, -75), F.horizontal_flip],
    "affine=20..20:scale=0.8:shear=5..5/-3..-3": [lambda t: F.affine(t, 20, [0, 0], 0.8, [5, -3])],
    "center_crop=20x30,resize=31x17,vertical_flip=1,rotate=11..11": [
        lambda t: F.center_crop(t, [20, 30]),
        lambda t: F.resize(t, [31, 17]),
        F.vertical_flip,
        lambda t: F.rotate(t, 11),
    ],
    "rotate=40..40,resize=15x21": [lambda t: F.rotate(t, 40), lambda t: F.resize(t, [15, 21])],
}
mask = torch.tensor(given["stored"], dtype=torch.uint8)
expected = {}
for spec, steps in SEQUENCES.items():
    size = (HEIGHT, WIDTH)
    values = [
        tv_tensors.Mask(mask),
        tv_tensors.BoundingBoxes(torch.tensor(given["boxes"]), format="XYXY", canvas_size=size),
        tv_tensors.KeyPoints(torch.tensor(POINTS), canvas_size=size),
    ]
    for step in steps:
        values = [step(v) for v in values]
    expected[spec] = dict(zip(("mask", "boxes", "points"), (v.tolist() for v in values)))
with open(os.path.join(HERE, "warps.json"), "w") as file:
    json.dump({"boxes": given["boxes"], "points": POINTS, "expected": expected}, file, separators=(",", ":"))
    file.write("\n")
