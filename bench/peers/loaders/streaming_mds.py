# SPDX-License-Identifier: Apache-2.0
"""MosaicML Streaming: MDS shards on the local disk, decoding by torchvision.io."""

import os
import warnings

warnings.filterwarnings("ignore")

import streaming
import torch_loader
from measure import run
from torch.utils.data import DataLoader


def prepare(job):
    """Writes the files as MDS shards of 64 MiB."""
    columns = {"image": "bytes", "index": "int"}
    folder = os.path.join(job.prepared, "mds")
    with streaming.MDSWriter(out=folder, columns=columns, size_limit=1 << 26) as writer:
        for index, path in enumerate(job.files):
            with open(path, "rb") as file:
                writer.write({"image": file.read(), "index": index})


class Images(streaming.StreamingDataset):
    def __init__(self, steps, **options):
        super().__init__(**options)
        self.steps = steps

    def __getitem__(self, at):
        record = super().__getitem__(at)
        return self.steps(torch_loader.decode(record["image"])), record["index"]


def batches(job):
    streaming.base.util.clean_stale_shared_memory()
    data = Images(
        torch_loader.transform(job),
        local=os.path.join(job.prepared, "mds"),
        shuffle=job.train,
        batch_size=job.batch,
        num_canonical_nodes=1,
    )
    loader = DataLoader(data, batch_size=job.batch, **torch_loader.worker_options(job))
    return torch_loader.epochs(job, loader)


if __name__ == "__main__":
    run(__doc__, batches, ("mosaicml-streaming", "torch", "torchvision"), prepare)
