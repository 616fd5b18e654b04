# SPDX-License-Identifier: Apache-2.0
"""PyTorch's DataLoader, torchvision's v2 transforms, decoding by Pillow."""

import torch_loader
from measure import run
from PIL import Image
from torchvision.transforms import v2


def _load(path):
    with open(path, "rb") as file:
        return Image.open(file).convert("RGB")


def batches(job):
    return torch_loader.file_batches(job, _load, torch_loader.transform(job, v2.PILToTensor()))


if __name__ == "__main__":
    run(__doc__, batches, ("torch", "torchvision", "pillow"))
