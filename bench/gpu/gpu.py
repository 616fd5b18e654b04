#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goodput of training on one GPU: how much of what the network alone reaches each loader keeps up.

    bench/gpu/gpu.py [DATA] [--minutes 6] [--out gpu.json]
    bench/gpu/gpu.py --cpu          the same without a GPU: small, to see that everything runs

For each network, trained by SGD in bfloat16 (on a CPU in float32) on crops of 224 × 224: first with
one batch that lies on the device (the ceiling), then from a DataLoader that decodes with Pillow, then
from headrace.torch, of the pictures as they are, tiled, packed, as a pyramid, resized ahead, and mixed
with raw ones. DATA is a folder of classes; its pictures are copied until there are --images. Needs
PyTorch, Pillow for the DataLoader, and a command headrace: HEADRACE names it, else that of an
installed wheel is taken. Nothing is fetched. What does not fit into the time is left out and said.
"""

import argparse
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path[:0] = [os.path.join(ROOT, "bench/handoff")]
sys.path.append(os.path.join(ROOT, "python"))  # after an installed wheel, which has the engine

import torch
from networks import NETWORKS
from transform import Pictures

STORED = {  # options of headrace convert
    "plain": [],
    "tiled": ["--encoding", "tiled"],
    "packed": ["--encoding", "packed"],
    "pyramid": ["--encoding", "pyramid"],
    "resized": ["--resize", "shortest=256", "--encoding", "jpeg:85"],
    "mixed": ["--resize", "shortest=256", "--encoding", "mix:3*raw+7*jpeg:85"],
}


def options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", nargs="?", default=os.path.join(ROOT, "samples/photos"))
    parser.add_argument("--cpu", action="store_true", help="small, to see that everything runs")
    parser.add_argument("--minutes", type=float, default=6)
    parser.add_argument("--images", type=int, help="pictures to train on: 8192, with --cpu 64")
    parser.add_argument("--batch", type=int, help="256, with --cpu 4")
    parser.add_argument("--edge", type=int, help="of crops: 224, with --cpu 64")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--networks", default=",".join(NETWORKS), help="with commas between")
    parser.add_argument("--out", help="file for all figures")
    job = parser.parse_args()
    small = {"images": (8192, 64), "batch": (256, 4), "edge": (224, 64)}
    for name, usual in small.items():
        if getattr(job, name) is None:
            setattr(job, name, usual[job.cpu])
    job.networks = job.networks.split(",")
    unknown = set(job.networks) - set(NETWORKS)
    if unknown:
        parser.error("no network %s: expected some of %s" % (", ".join(unknown), ", ".join(NETWORKS)))
    if not job.cpu and not torch.cuda.is_available():
        parser.error("this PyTorch sees no GPU: expected one, or --cpu")
    return job


def copies(data, count, target):
    """A folder of classes with so many pictures, links to those of another."""
    pictures = Pictures(data)
    if not pictures.files:
        sys.exit("gpu.py: no pictures in folders below %s" % data)
    for number, (path, _) in zip(range(count), itertools.cycle(pictures.files)):
        folder = os.path.join(target, os.path.basename(os.path.dirname(path)))
        os.makedirs(folder, exist_ok=True)
        name = os.path.join(folder, "%06d-%s" % (number, os.path.basename(path)))
        try:
            os.link(path, name)
        except OSError:  # on another device
            shutil.copyfile(path, name)
    return target


class Trainer:
    """A network, and how it learns from batches that are on the device."""

    def __init__(self, name, classes, device):
        torch.manual_seed(1)
        layout = {"memory_format": torch.channels_last}
        self._network = NETWORKS[name](classes).to(device, **layout)
        self._sgd = torch.optim.SGD(self._network.parameters(), 0.01, momentum=0.9)
        self.device = device

    def step(self, images, labels):
        """One step; images uint8 or float32 [size, 3, edge, edge]."""
        images = images.to(self.device, non_blocking=True)
        if images.dtype == torch.uint8:
            images = images.to(torch.float32).div_(127.5).sub_(1)
        # A CPU without instructions for bfloat16 takes many times as long for it.
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            found = self._network(images.contiguous(memory_format=torch.channels_last))
            loss = torch.nn.functional.cross_entropy(found, labels.to(self.device, non_blocking=True))
        self._sgd.zero_grad(set_to_none=True)
        loss.backward()
        self._sgd.step()
        return loss

    def rate(self, batches, seconds, warm_up):
        """Images a second of a stream of batches, and how far the loss was; seconds after a warm-up."""
        count, begin, loss = 0, None, None
        started = time.perf_counter()
        for images, labels in batches:
            loss = self.step(images, labels)
            now = time.perf_counter()
            if begin is None:
                if now - started >= warm_up:
                    self._wait()
                    begin = time.perf_counter()
                continue
            count += len(labels)
            if now - begin >= seconds:
                break
        self._wait()
        if not count:
            raise RuntimeError("no batch came after the warm-up")
        return count / (time.perf_counter() - begin), loss.item()

    def _wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize()


def forever(loader):
    while True:
        yield from loader


def theirs(job, data):
    from PIL import Image  # noqa: F401: says so now if it is not there
    import transform

    class Crops(Pictures):
        def __getitem__(self, index):
            image, label = super().__getitem__(index)
            return torch.from_numpy(image.copy()).permute(2, 0, 1), label

    transform.EDGE, transform.jitter = job.edge, lambda image: image
    return torch.utils.data.DataLoader(
        Crops(data),
        job.batch,
        shuffle=True,
        drop_last=True,
        num_workers=job.workers,
        persistent_workers=True,
        pin_memory=not job.cpu,
    )


def ours(job, data):
    from headrace.torch import Loader

    pipeline = "random_resized_crop=%d,flip,center,float32,chw" % job.edge
    given = {} if job.cpu else {"device": "cuda"}
    return Loader(data, batch_size=job.batch, drop_last=True, pipeline=pipeline, num_workers=job.workers,
                  prefetch=6, **given)


def stored(job, data, work):
    """Datasets by name, and what could not be made."""
    from headrace import _engine

    made, failed = {}, {}
    for name, words in STORED.items():
        target = os.path.join(work, name)
        command = [*_engine.find(), "convert", data, target, "--format", "race", *words]
        begin = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            failed[name] = done.stderr.strip().splitlines()[-1:]
            continue
        size = sum(os.path.getsize(os.path.join(target, file)) for file in os.listdir(target))
        made[name] = target
        seconds = time.perf_counter() - begin
        print("%-8s %6.1f MB, converted in %.0f s" % (name, size / 1e6, seconds), flush=True)
    return made, failed


def main():
    began, job = time.perf_counter(), options()
    device = torch.device("cpu" if job.cpu else "cuda")
    random.seed(1)
    torch.backends.cudnn.benchmark = True  # all batches have one shape
    if job.cpu:  # threads that wait for each other stand still where others use the cores
        torch.set_num_threads(1)
    report = {"device": "CPU" if job.cpu else torch.cuda.get_device_name(), "cores": len(os.sched_getaffinity(0))}
    report.update(torch=torch.__version__, batch=job.batch, edge=job.edge, networks={}, left_out={})
    print("%s, %d cores, PyTorch %s" % (report["device"], report["cores"], torch.__version__), flush=True)
    with tempfile.TemporaryDirectory() as work:
        data = copies(job.data, job.images, os.path.join(work, "pictures"))
        classes = len(os.listdir(data))
        made, report["left_out"] = stored(job, data, work)
        names = ["ceiling", "DataLoader", *made]
        left = len(names) * len(job.networks)
        for network in job.networks:
            rates = report["networks"][network] = {}
            for name in names:
                rest = job.minutes * 60 - (time.perf_counter() - began)
                seconds = min(8, rest / left / 2)  # half of it for starts and warm-ups
                left -= 1
                if seconds < 0.2:
                    report["left_out"]["%s, %s" % (network, name)] = "no time left"
                    continue
                loader, trainer = None, Trainer(network, classes, device)
                try:
                    if name == "ceiling":
                        images = torch.rand(job.batch, 3, job.edge, job.edge, device=device)
                        labels = torch.randint(classes, (job.batch,), device=device)
                        batches = itertools.repeat((images, labels))
                    else:
                        loader = theirs(job, data) if name == "DataLoader" else ours(job, made[name])
                        batches = forever(loader)
                    rate, loss = trainer.rate(batches, seconds, seconds / 2)
                except Exception as error:  # said at the end; the others go on
                    why = "%s: %s" % (type(error).__name__, error)
                    report["left_out"]["%s, %s" % (network, name)] = why
                    continue
                finally:
                    getattr(loader, "close", lambda: None)()
                ceiling = rate if name == "ceiling" else rates.get("ceiling", {"rate": float("nan")})["rate"]
                goodput = rate / ceiling
                rates[name] = {"rate": rate, "goodput": goodput, "loss": loss, "seconds": seconds}
                line = "%-8s  %-10s %9.0f images/s  %5.1f %%" % (network, name, rate, 100 * goodput)
                print(line, flush=True)
    for what, why in report["left_out"].items():
        print("left out: %s: %s" % (what, why))
    print("%.0f s in all" % (time.perf_counter() - began))
    if job.out:
        with open(job.out, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
    return 1 if report["left_out"] else 0


if __name__ == "__main__":
    sys.exit(main())
