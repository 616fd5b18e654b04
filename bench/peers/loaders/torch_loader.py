# SPDX-License-Identifier: Apache-2.0
"""What the loaders that run in PyTorch's DataLoader share: transforms, settings, epochs."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import torch
from measure import DETECTION_EDGE, EDGE, JITTER, MEAN, SHORTER, STD


def decode(encoded):
    """Bytes of a JPEG or PNG as uint8 [3, height, width], by torchvision's own decoders."""
    from torchvision.io import ImageReadMode, decode_image

    if not isinstance(encoded, torch.Tensor):
        encoded = torch.frombuffer(bytearray(encoded), dtype=torch.uint8)
    return decode_image(encoded, ImageReadMode.RGB)


def _channels_last(image):
    return image.permute(1, 2, 0).contiguous()


def _steps(job, v2):
    crop = [v2.RandomResizedCrop(EDGE, antialias=True), v2.RandomHorizontalFlip()]
    if job.work == "simclr":
        colours = v2.RandomApply([v2.ColorJitter(*JITTER)], p=0.8)
        blur = v2.RandomApply([v2.GaussianBlur(23, (0.1, 2.0))], p=0.5)
        return [*crop, colours, v2.RandomGrayscale(0.2), blur]
    if job.work == "recipe":
        return [*crop, v2.TrivialAugmentWide()]
    if job.work == "detection":
        size = (DETECTION_EDGE, DETECTION_EDGE)
        resize = v2.Resize(size, antialias=True)
        flip = v2.RandomHorizontalFlip()
        return [v2.RandomIoUCrop(), resize, flip, v2.SanitizeBoundingBoxes()]
    return crop if job.train else [v2.Resize(SHORTER, antialias=True), v2.CenterCrop(EDGE)]


def transform(job, to_tensor=None):
    """The steps from a decoded image to a sample of the batch."""
    from torchvision.transforms import v2

    steps = _steps(job, v2)
    if to_tensor:
        steps.append(to_tensor)
    if job.float:
        steps += [v2.ToDtype(torch.float32, scale=True), v2.Normalize(MEAN, STD)]
    else:
        steps.append(_channels_last)
    if job.work == "recipe":
        steps.append(v2.RandomErasing())
    return v2.Compose(steps)


def _one_thread(_):
    torch.set_num_threads(1)


def worker_options(job):
    """The DataLoader's fast settings: processes that stay, batches ahead of need."""
    return dict(
        num_workers=job.workers,
        persistent_workers=True,
        prefetch_factor=4,
        multiprocessing_context="fork",
        worker_init_fn=_one_thread,
    )


def _arrays(data):
    return data.numpy() if isinstance(data, torch.Tensor) else tuple(each.numpy() for each in data)


def epochs(job, loader):
    """Batches of one epoch, or of all there will ever be."""
    while True:
        for data, keys in loader:
            yield _arrays(data), keys.tolist() if isinstance(keys, torch.Tensor) else keys
        if job.once:
            return


class Files(torch.utils.data.Dataset):
    """The files of the job, each read and decoded by `load(path)`."""

    def __init__(self, job, load, steps):
        self.paths, self.load, self.steps = job.files, load, steps

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return self.steps(self.load(self.paths[index])), index


def file_batches(job, load, steps, collate=None):
    """The DataLoader over the job's files."""
    loader = torch.utils.data.DataLoader(
        Files(job, load, steps),
        batch_size=job.batch,
        shuffle=job.train,
        drop_last=False,
        collate_fn=collate,
        **worker_options(job),
    )
    return epochs(job, loader)
