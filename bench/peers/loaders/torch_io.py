# SPDX-License-Identifier: Apache-2.0
"""PyTorch's DataLoader, torchvision's v2 transforms on tensors, decoding by torchvision.io."""

import torch_loader
from measure import run
from torchvision.io import read_file


def _load(path):
    return torch_loader.decode(read_file(path))


def batches(job):
    return torch_loader.file_batches(job, _load, torch_loader.transform(job))


if __name__ == "__main__":
    run(__doc__, batches, ("torch", "torchvision"))
