#!/usr/bin/env python3
"""The same training by headrace train and by PyTorch with its DataLoader, in turn, seed after seed.

    python3 bench/train-pytorch.py TRAIN VALIDATION [--epochs 8] [--seeds 3] [--threads 2]

ResNet-18 of --width channels for pictures of 64 × 64, SGD with momentum 0.875, weight decay
6.1035e-5, label smoothing 0.1, a cosine over the epochs, batches of 64. PyTorch trains torchvision's
ResNet, its channels scaled and its stem made small as `headrace train --small` does.

Prints for each run top-1 on VALIDATION, images a second of training (validation left out) and CPU
seconds, then means and standard deviations. Exits 1 if our accuracy is below PyTorch's by more than
both deviations, or our rate below PyTorch's. Needs torch and torchvision in the Python that runs it.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def narrow_resnet(torch, torchvision, classes, width):
    """torchvision's ResNet-18 with scaled channels and a stem for 64 × 64."""

    class Narrow(torchvision.models.ResNet):
        def _make_layer(self, block, planes, blocks, *args, **kwargs):
            if planes == 64:
                self.inplanes = round(64 * width)
            return super()._make_layer(block, round(planes * width), blocks, *args, **kwargs)

    model = Narrow(torchvision.models.resnet.BasicBlock, [2, 2, 2, 2])
    first = round(64 * width)
    model.conv1 = torch.nn.Conv2d(3, first, 3, stride=2, padding=1, bias=False)
    torch.nn.init.kaiming_normal_(model.conv1.weight, mode="fan_out", nonlinearity="relu")
    model.bn1 = torch.nn.BatchNorm2d(first)
    model.maxpool = torch.nn.Identity()
    model.fc = torch.nn.Linear(round(512 * width), classes)
    return model


def pytorch(options):
    """Trains once, and prints a JSON list of epochs."""
    import torch
    import torchvision
    from torchvision.transforms import v2

    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    mean, deviation = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    end = [v2.ToImage(), v2.ToDtype(torch.float32, scale=True), v2.Normalize(mean, deviation)]

    def loader(folder, steps, training):
        data = torchvision.datasets.ImageFolder(folder, v2.Compose(steps + end))
        return torch.utils.data.DataLoader(
            data, batch_size=options.batch, shuffle=training, drop_last=training,
            num_workers=options.threads, persistent_workers=True)

    train = loader(options.train, [v2.RandomResizedCrop(64), v2.RandomHorizontalFlip()], True)
    asked = loader(options.validation, [v2.Resize(73), v2.CenterCrop(64)], False)
    model = narrow_resnet(torch, torchvision, len(train.dataset.classes), options.width)
    rate = 0.512 * options.batch / 512
    sgd = torch.optim.SGD(model.parameters(), rate, momentum=0.875, weight_decay=6.1035e-5)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(sgd, options.epochs)
    epochs = []
    for _ in range(options.epochs):
        model.train()
        begin, images = time.time(), 0
        for pictures, labels in train:
            loss = torch.nn.functional.cross_entropy(
                model(pictures), labels, label_smoothing=0.1)
            sgd.zero_grad()
            loss.backward()
            sgd.step()
            images += len(labels)
        seconds = time.time() - begin
        schedule.step()
        model.eval()
        right = count = 0
        with torch.inference_mode():
            for pictures, labels in asked:
                right += int((model(pictures).argmax(1) == labels).sum())
                count += len(labels)
        epochs.append({"validation_top1": right / count, "images": images, "seconds": seconds})
    print(json.dumps(epochs))


def run(command):
    """Epochs and CPU seconds of a command that prints them as JSON."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout[done.stdout.index("["):]), cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train")
    parser.add_argument("validation")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--width", type=float, default=0.25)
    parser.add_argument("--headrace", default=os.path.join(ROOT, "headrace"))
    parser.add_argument("--seed", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.seed is not None:
        pytorch(options)
        return 0
    shared = [options.train, "--epochs", str(options.epochs), "--batch", str(options.batch),
              "--width", str(options.width)]
    runs = {"headrace": [], "PyTorch": []}
    for seed in range(1, options.seeds + 1):
        with tempfile.TemporaryDirectory() as out:
            ours = options.headrace.split() + ["train"] + shared + [
                "--validation", options.validation, "--model", "resnet18", "--size", "64",
                "--small", "--threads", str(options.threads), "--compute-threads",
                str(options.threads), "--seed", str(seed), "--out", os.path.join(out, "run"),
                "--json"]
            theirs = [sys.executable, os.path.abspath(__file__), shared[0], options.validation,
                      *shared[1:], "--threads", str(options.threads), "--seed", str(seed)]
            for name, command in (("headrace", ours), ("PyTorch", theirs)):
                epochs, cpu = run(command)
                later = epochs[1:] or epochs  # the first warms up
                rate = sum(e["images"] for e in later) / sum(e["seconds"] for e in later)
                top = 100 * epochs[-1]["validation_top1"]
                runs[name].append((top, rate, cpu))
                print("%-8s seed %d: top-1 %.1f %%, %.0f images/s, %.0f CPU s"
                      % (name, seed, top, rate, cpu), flush=True)
    spread = {}
    for name, all_runs in runs.items():
        tops, rates, cpus = zip(*all_runs)
        deviation = statistics.stdev(tops) if len(tops) > 1 else 0
        spread[name] = (statistics.mean(tops), deviation, statistics.median(rates))
        print("%-8s top-1 %.1f ± %.1f %%, %.0f images/s (median), %.0f CPU s (mean)"
              % (name, *spread[name], statistics.mean(cpus)))
    ours, theirs = spread["headrace"], spread["PyTorch"]
    good = ours[0] >= theirs[0] - ours[1] - theirs[1] and ours[2] >= theirs[2]
    print("accuracy and rate are %s" % ("at least PyTorch's" if good else "not both PyTorch's"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
