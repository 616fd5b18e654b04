"""Makes networks.json: what torchvision's networks give for weights and pictures made by a formula.

    python3 networks.py > ../resources/io/headrace/train/net/networks.json

Needs torch and torchvision. NetTest makes the same weights and pictures and compares.
"""

import json
import sys
import zlib

import numpy
import torch
import torchvision

CLASSES = 10


def uniform(name, count):
    """Numbers from 0 to 1 that depend on a name and on their index alone."""
    x = numpy.arange(count, dtype=numpy.uint64) + numpy.uint64(zlib.crc32(name.encode()))
    mask = numpy.uint64(0xFFFFFFFF)
    x = (x * numpy.uint64(0x9E3779B1)) & mask
    x ^= x >> numpy.uint64(15)
    x = (x * numpy.uint64(0x85EBCA77)) & mask
    x ^= x >> numpy.uint64(13)
    return x.astype(numpy.float64) / 2.0**32


def values(name, shape):
    count = int(numpy.prod(shape))
    u = uniform(name, count)
    if len(shape) > 1:
        fan_in = count // shape[0]
        made = (2 * u - 1) * numpy.sqrt(6.0 / fan_in)
    elif name.endswith("running_var") or name.endswith("weight"):
        made = 0.5 + u
    else:
        made = (2 * u - 1) * 0.1
    return torch.from_numpy(made.astype(numpy.float32).reshape(shape))


def fill(model):
    state = model.state_dict()
    for name, tensor in state.items():
        if not name.endswith("num_batches_tracked"):
            tensor.copy_(values(name, tuple(tensor.shape)))
    return state


def gradients(model, pictures, labels):
    model.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(pictures), labels, label_smoothing=0.1)
    loss.backward()
    named = list(model.named_parameters())
    picked = [named[0], named[len(named) // 2], named[-1]]
    return loss.item(), {n: [p.grad.abs().sum().item(), p.grad.flatten()[0].item()] for n, p in picked}


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    result = {"torch": torch.__version__, "torchvision": torchvision.__version__, "networks": []}
    labels = torch.tensor([3, 7, 0, 9])
    for name, edge in [
        ("alexnet", 96),
        ("resnet18", 96),
        ("resnet50", 96),
        ("mobilenet_v3_small", 96),
        ("shufflenet_v2_x1_0", 96),
        ("squeezenet1_1", 96),
        ("resnet18", 224),
    ]:
        model = getattr(torchvision.models, name)(weights=None, num_classes=CLASSES)
        whole = getattr(torchvision.models, name)(weights=None)
        fill(model)
        pictures = (values("pictures", (4, 3 * edge * edge)) * 4).reshape(4, 3, edge, edge) * edge
        model.eval()
        with torch.no_grad():
            logits = model(pictures)
        loss, grads = gradients(model, pictures, labels)
        made = {
            "name": name,
            "edge": edge,
            "parameters": sum(p.numel() for p in whole.parameters()),
            "tensors": [n for n in model.state_dict() if not n.endswith("num_batches_tracked")],
            "logits": logits.flatten().tolist(),
            "loss": loss,
            "gradients": grads,
        }
        if not any(isinstance(m, torch.nn.Dropout) for m in model.modules()):
            model.train()
            loss, grads = gradients(model, pictures, labels)
            state = model.state_dict()
            mean = next(n for n in state if n.endswith("running_mean"))
            variance = next(n for n in state if n.endswith("running_var"))
            made["training"] = {
                "loss": loss,
                "gradients": grads,
                "statistics": {n: state[n].tolist() for n in (mean, variance)},
            }
        result["networks"].append(made)
    json.dump(result, sys.stdout)


main()
