#!/usr/bin/env python3
"""Trains a network on ImageNet, or any dataset that Headrace reads, with one process a GPU.

    torchrun --nproc-per-node 8 train.py TRAIN VAL --out run
    python train.py TRAIN VAL --model resnet18 --size 64 --batch 16 --epochs 2 --out run

SGD with momentum 0.875, weight decay 3.05e-5, label smoothing 0.1, a cosine with 8 epochs of warm-up,
and 0.256 as the learning rate of 256 samples: NVIDIA's recipe for ResNet-50. On a GPU it computes in
bfloat16, and bytes travel that the GPU normalises. OUT/checkpoint.pt goes on in mid-epoch, on any
number of ranks. Needs torch and torchvision.
"""

import argparse
import json
import math
import os
import time

import torch
import torchvision
from headrace.torch import Loader

IMAGENET = ",normalize=imagenet,float32,chw"


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train")
    parser.add_argument("val")
    parser.add_argument("--model", default="resnet50", help="of torchvision")
    parser.add_argument("--epochs", type=int, default=90)
    parser.add_argument("--warm-up", type=int, help="epochs; 8, but at most a tenth of all")
    parser.add_argument("--batch", type=int, default=256, help="samples of a rank")
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--workers", type=int, help="threads of a rank; its share of the cores")
    parser.add_argument("--checkpoint-every", type=float, default=600, help="seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="run")
    return parser.parse_args()


def begin():
    """(device, rank, ranks)."""
    ranks = int(os.environ.get("WORLD_SIZE", 1))
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    if ranks > 1:
        torch.distributed.init_process_group("nccl" if cuda else "gloo")
    return device, int(os.environ.get("RANK", 0)), ranks


def loader(job, train, device, local):
    steps = "random_resized_crop=%d,flip" % job.size
    if not train:
        steps = "resize_shorter=%d,center_crop=%d" % (job.size * 8 // 7, job.size)
    return Loader(
        job.train if train else job.val,
        batch_size=job.batch,
        pipeline=steps + IMAGENET,
        shuffle=train,
        drop_last=train,
        seed=job.seed,
        num_workers=job.workers or max(1, len(os.sched_getaffinity(0)) // local),
        classes=None if train else job.train,
        ranks_tail="pad" if train else "uneven",
        device=device,
    )


def rate(job, epoch, ranks):
    """The learning rate of an epoch."""
    full = 0.256 * job.batch * ranks / 256
    warm = min(8, job.epochs // 10) if job.warm_up is None else job.warm_up
    if epoch < warm:
        return full * (epoch + 1) / (warm + 1)
    return full * 0.5 * (1 + math.cos(math.pi * (epoch - warm) / max(1e-9, job.epochs - warm)))


def total(*values, device):
    """Sums over all ranks."""
    sums = torch.tensor(values, dtype=torch.float64, device=device)
    if torch.distributed.is_initialized():
        torch.distributed.all_reduce(sums)
    return sums.tolist()


def validate(model, batches, device):
    """Shares of the samples whose class has the highest score, and one of the five highest."""
    model.eval()
    first = among = count = 0
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        for images, labels in batches:
            scores = model(images.contiguous(memory_format=torch.channels_last))
            best = scores.topk(min(5, scores.shape[1])).indices.to(labels.device)
            hits = best == labels[:, None]
            first += int(hits[:, 0].sum())
            among += int(hits.sum())
            count += len(labels)
    first, among, count = total(first, among, count, device=device)
    return first / max(1, count), among / max(1, count)


def save(path, **state):
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


def main():
    job = options()
    device, rank, ranks = begin()
    torch.manual_seed(job.seed)
    torch.backends.cudnn.benchmark = True
    os.makedirs(job.out, exist_ok=True)
    path = os.path.join(job.out, "checkpoint.pt")
    local = int(os.environ.get("LOCAL_WORLD_SIZE", 1))
    train, val = loader(job, True, device, local), loader(job, False, device, local)

    model = torchvision.models.get_model(job.model, num_classes=len(train.classes))
    model = model.to(device, memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), 1.0, momentum=0.875, weight_decay=3.0517578125e-5)
    criterion = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
    done = 0
    if os.path.exists(path):
        kept = torch.load(path, map_location=device, weights_only=True)
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        done = kept["epoch"]
        if kept["data"] is not None:
            train.load_state_dict(kept["data"])
    network = model
    if ranks > 1:
        network = torch.nn.parallel.DistributedDataParallel(model)

    saved = time.monotonic()
    for epoch in range(done, job.epochs):
        train.set_epoch(epoch)
        network.train()
        start = asked = time.monotonic()
        samples = waited = loss_sum = 0.0
        for group in optimizer.param_groups:
            group["lr"] = rate(job, epoch, ranks)
        for images, labels in train:
            waited += time.monotonic() - asked
            images = images.contiguous(memory_format=torch.channels_last)
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                loss = criterion(network(images), labels.to(device))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            samples += len(labels)
            loss_sum += loss.detach() * len(labels)
            if rank == 0 and time.monotonic() - saved > job.checkpoint_every:
                # the place in the data is that of all ranks
                save(path, model=model.state_dict(), optimizer=optimizer.state_dict(), epoch=epoch,
                     data=train.state_dict())
                saved = time.monotonic()
            asked = time.monotonic()
        seconds = time.monotonic() - start
        top1, top5 = validate(model, val, device)
        all_samples, all_loss, all_waited = total(samples, float(loss_sum), waited, device=device)
        if rank == 0:
            print(json.dumps({
                "epoch": epoch, "loss": round(all_loss / max(1, all_samples), 4),
                "top1": round(top1, 4), "top5": round(top5, 4),
                "images_per_second": round(all_samples / seconds, 1),
                "waited": round(all_waited / ranks / seconds, 4),
            }), flush=True)
            save(path, model=model.state_dict(), optimizer=optimizer.state_dict(), epoch=epoch + 1, data=None)
            saved = time.monotonic()
    train.close()
    val.close()
    if ranks > 1:
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
