#!/usr/bin/env python3
"""Headrace with Hugging Face accelerate: `accelerate launch examples/train_accelerate.py TRAIN`.

The loader shards by the rank that accelerate has set up, so it is made after the Accelerator, and
it places batches itself, so only model and optimizer are prepared. Needs accelerate, torchvision.
"""

import sys

import torch
import torchvision
from accelerate import Accelerator

from headrace.torch import Loader


def main(train, epochs=1, size=224):
    accelerator = Accelerator()
    loader = Loader(
        train, batch_size=32, seed=1, drop_last=True, device=accelerator.device,
        pipeline="random_resized_crop=%s,flip,normalize=imagenet,float32,chw" % size,
    )
    model = torchvision.models.resnet18(num_classes=len(loader.classes))
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    steps = 0
    for _ in range(int(epochs)):
        for images, labels in loader:
            loss = torch.nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            accelerator.backward(loss)
            optimizer.step()
            steps += 1
    accelerator.print("rank 0 of %d: steps %d, loss %.3f" % (loader.world, steps, loss.item()))
    loader.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
