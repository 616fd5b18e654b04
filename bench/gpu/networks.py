# SPDX-License-Identifier: Apache-2.0
"""ResNet-18, ResNet-50 and AlexNet, as their papers and torchvision have them, with PyTorch alone.

He et al., "Deep Residual Learning for Image Recognition", 2015 (table 1; the stride of a bottleneck
is that of its 3 × 3 convolution). Krizhevsky, "One weird trick for parallelizing convolutional neural
networks", 2014.
"""

import torch
from torch import nn


def conv(inputs, outputs, edge, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, edge, stride, edge // 2, bias=False), nn.BatchNorm2d(outputs)
    )


class Block(nn.Module):
    """Convolutions beside a shortcut."""

    def __init__(self, inputs, width, stride, wide):
        super().__init__()
        outputs = width * 4 if wide else width
        if wide:
            steps = conv(inputs, width, 1), conv(width, width, 3, stride), conv(width, outputs, 1)
        else:
            steps = conv(inputs, width, 3, stride), conv(width, width, 3)
        parts = [part for step in steps for part in (step, nn.ReLU(inplace=True))]
        self.steps = nn.Sequential(*parts[:-1])
        same = stride == 1 and inputs == outputs
        self.shortcut = nn.Identity() if same else conv(inputs, outputs, 1, stride)

    def forward(self, images):
        return torch.relu(self.steps(images) + self.shortcut(images))


def resnet(counts, wide, classes):
    layers = [conv(3, 64, 7, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for number, count in enumerate(counts):
        width = 64 << number
        for place in range(count):
            layers.append(Block(inputs, width, 2 if number and not place else 1, wide))
            inputs = width * 4 if wide else width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, classes))


def alexnet(classes):
    layers, inputs = [], 3
    for outputs, edge, stride, pad, pool in (
        (64, 11, 4, 2, True), (192, 5, 1, 2, True), (384, 3, 1, 1, False), (256, 3, 1, 1, False), (256, 3, 1, 1, True)
    ):
        layers += [nn.Conv2d(inputs, outputs, edge, stride, pad), nn.ReLU(inplace=True)]
        layers += [nn.MaxPool2d(3, 2)] if pool else []
        inputs = outputs
    layers += [nn.AdaptiveAvgPool2d(6), nn.Flatten()]
    for inputs, outputs in (256 * 36, 4096), (4096, 4096):
        layers += [nn.Dropout(), nn.Linear(inputs, outputs), nn.ReLU(inplace=True)]
    return nn.Sequential(*layers, nn.Linear(4096, classes))


NETWORKS = {
    "resnet18": lambda classes: resnet((2, 2, 2, 2), False, classes),
    "alexnet": alexnet,
    "resnet50": lambda classes: resnet((3, 4, 6, 3), True, classes),
}
