#!/usr/bin/env python3
"""ResNet-18 on a folder of pictures: the same recipe with Headrace and with PyTorch's DataLoader.

    python examples/train_torch.py TRAIN VAL --loader headrace --epochs 5 --seed 1
    python examples/train_torch.py TRAIN VAL --loader dataloader --epochs 5 --seed 1
    torchrun --nproc-per-node 2 examples/train_torch.py TRAIN VAL --epochs 5

TRAIN and VAL are image folders (ROOT/CLASS/NAME.jpg). Prints a line an epoch, and as JSON at the
end what a comparison needs: accuracy, seconds, samples/s. Needs torch and torchvision. With several
ranks gradients are averaged by DistributedDataParallel, over gloo on CPUs and NCCL on GPUs.
"""

import argparse
import json
import os
import time

import torch
import torchvision

MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def ours(folder, train, options, device, classes=None):
    from headrace.torch import Loader

    size = options.size
    steps = "random_resized_crop=%d,flip" % size
    if not train:
        steps = "resize_shorter=%d,center_crop=%d" % (size * 8 // 7, size)
    return Loader(
        folder,
        batch_size=options.batch,
        pipeline=steps + ",normalize=imagenet,float32,chw",
        shuffle=train,
        drop_last=train,
        seed=options.seed,
        num_workers=options.workers,
        classes=classes,
        ranks_tail="pad" if train else "uneven",
        device=device,
    )


def theirs(folder, train, options, device, classes=None):
    from torch.utils.data import DataLoader, DistributedSampler
    from torchvision.transforms import v2

    size = options.size
    steps = [v2.RandomResizedCrop(size), v2.RandomHorizontalFlip()]
    if not train:
        steps = [v2.Resize(size * 8 // 7), v2.CenterCrop(size)]
    steps += [v2.ToImage(), v2.ToDtype(torch.float32, scale=True), v2.Normalize(MEAN, DEVIATION)]
    dataset = torchvision.datasets.ImageFolder(folder, v2.Compose(steps))
    sampler = None
    if torch.distributed.is_initialized():
        sampler = DistributedSampler(dataset, shuffle=train, seed=options.seed)
    return DataLoader(
        dataset,
        batch_size=options.batch,
        shuffle=train and sampler is None,
        sampler=sampler,
        drop_last=train,
        num_workers=options.workers,
        persistent_workers=options.workers > 0,
    )


def set_epoch(loader, epoch):
    """Both shuffle by seed and epoch."""
    where = loader if hasattr(loader, "set_epoch") else loader.sampler
    if hasattr(where, "set_epoch"):
        where.set_epoch(epoch)


def accuracy(model, loader, device):
    model.eval()
    counts = torch.zeros(2, device=device)
    with torch.inference_mode():
        for images, labels in loader:
            images, labels = images.to(device), labels.to(device)
            right = (model(images).argmax(1) == labels).sum()
            counts += torch.tensor([float(right), len(labels)], device=device)
    if torch.distributed.is_initialized():
        torch.distributed.all_reduce(counts)
    return float(counts[0] / counts[1].clamp(min=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train")
    parser.add_argument("val")
    parser.add_argument("--loader", choices=("headrace", "dataloader"), default="headrace")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lr", type=float, default=0.05)
    options = parser.parse_args()

    several = int(os.environ.get("WORLD_SIZE", 1)) > 1
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if several:
        torch.distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
        if device.type == "cuda":
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
            torch.cuda.set_device(device)
    torch.manual_seed(options.seed)

    make = ours if options.loader == "headrace" else theirs
    train = make(options.train, True, options, device)
    val = make(options.val, False, options, device, classes=options.train)
    names = train.classes if options.loader == "headrace" else train.dataset.classes
    model = torchvision.models.resnet18(num_classes=len(names)).to(device)
    if several:
        model = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), options.lr, momentum=0.9, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, options.epochs)

    first = not several or torch.distributed.get_rank() == 0
    begin, samples, right = time.time(), 0, 0.0
    for epoch in range(options.epochs):
        set_epoch(train, epoch)
        model.train()
        total, count = 0.0, 0
        for images, labels in train:
            images, labels = images.to(device), labels.to(device)
            loss = torch.nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total, count = total + loss.item() * len(labels), count + len(labels)
        schedule.step()
        samples += count
        right = accuracy(model, val, device)
        if first:
            print("epoch %d: loss %.3f, accuracy %.3f" % (epoch, total / max(1, count), right), flush=True)
    if first:
        seconds = time.time() - begin
        print(json.dumps({
            "loader": options.loader, "seed": options.seed, "accuracy": round(right, 4),
            "seconds": round(seconds, 2), "samples_per_second_and_rank": round(samples / seconds, 1),
            "samples_and_rank": samples, "classes": len(names),
        }))
    if several:
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
