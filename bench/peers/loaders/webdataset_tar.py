# SPDX-License-Identifier: Apache-2.0
"""WebDataset: tar shards read in the DataLoader's workers, decoding by torchvision.io."""

import glob
import os

import torch_loader
import webdataset
from measure import run

SHARDS = 16  # enough for every worker to have some


def prepare(job):
    """Writes the files, in an order drawn once, as shards."""
    import random

    order = list(enumerate(job.files))
    random.shuffle(order)
    each = -(-len(order) // SHARDS)
    for shard in range(SHARDS):
        name = os.path.join(job.prepared, "images-%06d.tar" % shard)
        with webdataset.TarWriter(name) as writer:
            for index, path in order[shard * each : (shard + 1) * each]:
                with open(path, "rb") as file:
                    writer.write({"__key__": "%08d" % index, "img": file.read()})


def batches(job):
    steps = torch_loader.transform(job)

    def sample(record):
        return steps(torch_loader.decode(record["img"])), int(record["__key__"])

    shards = sorted(glob.glob(os.path.join(job.prepared, "*.tar")))
    data = webdataset.WebDataset(
        [s for s in shards if os.path.getsize(s) > 10240],  # an empty archive has two blocks
        shardshuffle=len(shards) if job.train else False,
        empty_check=False,
    )
    if job.train:
        data = data.shuffle(256)
    # Batches in the workers, so that whole ones cross to this process.
    data = data.map(sample).batched(job.batch, partial=True)
    loader = webdataset.WebLoader(data, batch_size=None, **torch_loader.worker_options(job))
    return torch_loader.epochs(job, loader)


if __name__ == "__main__":
    run(__doc__, batches, ("webdataset", "torch", "torchvision"), prepare)
