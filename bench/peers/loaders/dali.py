# SPDX-License-Identifier: Apache-2.0
"""NVIDIA DALI on the CPU: decoders.image_random_crop decodes the crop's window alone."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import numpy
from measure import EDGE, MEAN, SHORTER, STD, run
from nvidia.dali import fn, pipeline_def, types


@pipeline_def
def _pipeline(job):
    encoded, index = fn.readers.file(
        files=job.files,
        labels=list(range(len(job.files))),
        random_shuffle=job.train,
        initial_fill=min(len(job.files), 1024),
        prefetch_queue_depth=2,
        name="files",
    )
    # Triangular is bilinear with a support that widens when shrinking, as in torchvision.
    filters = dict(interp_type=types.INTERP_TRIANGULAR)
    mirror = 0
    if job.train:
        images = fn.decoders.image_random_crop(
            encoded,
            device="cpu",
            output_type=types.RGB,
            random_area=[0.08, 1.0],
            random_aspect_ratio=[3 / 4, 4 / 3],
            num_attempts=10,
        )
        images = fn.resize(images, resize_x=EDGE, resize_y=EDGE, **filters)
        mirror = fn.random.coin_flip(probability=0.5)
    else:
        images = fn.decoders.image(encoded, device="cpu", output_type=types.RGB)
        images = fn.resize(images, resize_shorter=SHORTER, **filters)
    options = dict(crop=(EDGE, EDGE), mirror=mirror)
    if job.float:
        options.update(
            dtype=types.FLOAT,
            output_layout="CHW",
            mean=[255 * m for m in MEAN],
            std=[255 * s for s in STD],
        )
    else:
        options.update(dtype=types.UINT8, output_layout="HWC")
    return fn.crop_mirror_normalize(images, **options), index


def batches(job):
    pipeline = _pipeline(
        job,
        batch_size=job.batch,
        num_threads=job.workers,
        device_id=None,
        prefetch_queue_depth=2,
        seed=1,
    )
    pipeline.build()
    left = len(job.files)
    while left > 0:
        images, index = pipeline.run()
        images = numpy.asarray(images.as_tensor())
        index = numpy.asarray(index.as_tensor()).reshape(-1)
        if job.once:  # the reader goes on into the next epoch, within a batch
            images, index = images[:left], index[:left]
            left -= len(index)
        yield images, index.tolist()


if __name__ == "__main__":
    run(__doc__, batches, ("nvidia-dali-cuda120",))
