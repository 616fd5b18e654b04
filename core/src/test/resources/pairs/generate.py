"""Masks and boxes as torchvision v2 moves them (torch 2.15, torchvision beside it, Pillow).

    python3 generate.py      writes mask.png, deep.png and expected.json beside itself
"""

import json
import os
import random

import torch
from PIL import Image
from torchvision import tv_tensors
from torchvision.transforms import v2

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, HEIGHT = 37, 29
BOXES = [[0, 0, 37, 29], [3, 4, 20, 21], [30, 2, 36, 9], [1.5, 20.25, 8.75, 28], [12, 12, 13, 13]]
SEQUENCES = {
    "resize=11x13": [v2.Resize((11, 13))],
    "resize=50x61,flip=1": [v2.Resize((50, 61)), v2.RandomHorizontalFlip(1)],
    "resize_shorter=20,center_crop=16": [v2.Resize(20), v2.CenterCrop(16)],
    "center_crop=41x45": [v2.CenterCrop((41, 45))],  # by odd margins it shifts boxes against masks
    "vertical_flip=1,center_crop=15x18": [v2.RandomVerticalFlip(1), v2.CenterCrop((15, 18))],
    "rotate=25..25": [v2.RandomRotation((25, 25))],
    "resize=40x50,rotate=-50..-50,center_crop=30x20,flip=1": [
        v2.Resize((40, 50)), v2.RandomRotation((-50, -50)), v2.CenterCrop((30, 20)),
        v2.RandomHorizontalFlip(1)
    ],
    "center_crop=20x30,resize=31x17,flip=1": [
        v2.CenterCrop((20, 30)), v2.Resize((31, 17)), v2.RandomHorizontalFlip(1)
    ],
}

draw = random.Random(5)
rows = [[draw.randrange(16) if draw.random() < 0.9 else 255 for _ in range(WIDTH)] for _ in range(HEIGHT)]
mask = torch.tensor(rows, dtype=torch.uint8)
image = Image.frombytes("P", (WIDTH, HEIGHT), bytes(mask.flatten().tolist()))
image.putpalette([draw.randrange(256) for _ in range(768)])
image.save(os.path.join(HERE, "mask.png"))
wide = b"".join((257 * v).to_bytes(2, "little") for v in mask.flatten().tolist())
Image.frombytes("I;16", (WIDTH, HEIGHT), wide).save(os.path.join(HERE, "deep.png"))
small = Image.frombytes("P", (WIDTH, HEIGHT), bytes(v & 3 for v in mask.flatten().tolist()))
small.putpalette([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
small.save(os.path.join(HERE, "small.png"), bits=2)

expected = {}
for spec, steps in SEQUENCES.items():
    boxes = tv_tensors.BoundingBoxes(torch.tensor(BOXES), format="XYXY", canvas_size=(HEIGHT, WIDTH))
    moved, moved_boxes = v2.Compose(steps)(tv_tensors.Mask(mask), boxes)
    expected[spec] = {"mask": moved.tolist(), "boxes": moved_boxes.tolist()}
with open(os.path.join(HERE, "expected.json"), "w") as file:
    json.dump({"boxes": BOXES, "stored": mask.tolist(), "expected": expected}, file, separators=(",", ":"))
    file.write("\n")
