# SPDX-License-Identifier: Apache-2.0
"""A dataset by numbers: for looking at samples, plots and other people's loaders."""

import json
import os

from headrace._loader import Loader


class Dataset:
    """Samples by number, in stored order: `dataset[3]` is an image and its class number.

    Satisfies torch.utils.data.Dataset and everything else that takes `len` and `[i]`. One sample at
    a time costs an order of magnitude more than `Loader`: it is for looking, not for training.
    Random steps draw for epoch 0, so that a sample is the same each time. Other processes, such as
    workers of a DataLoader, open the dataset once more for themselves.

    data: image folder, folder of shards, one shard or a pattern
    others: as for `Loader`, such as pipeline="eval"
    """

    _loader_type = Loader

    def __init__(self, data, **options):
        self._data, self._options = data, options
        self._loader, self._process, self._others = None, None, []
        self._open()

    def _open(self):
        if self._process != os.getpid():
            self._others.append(self._loader)  # that of the process this one was forked from
            given = {"prefetch": 2, "num_workers": 1, "rank": "0/1", "zero_copy": False}
            given.update(self._options, batch_size=1, shuffle=False)
            self._loader, self._process = self._loader_type(self._data, **given), os.getpid()
            next(iter(self._loader), None)
            kept = self._loader.state_dict()
            self._state, self._batches, self._next = json.loads(kept["state"]), None, -1
        return self._loader

    @property
    def classes(self):
        return self._open().classes

    @property
    def class_to_idx(self):
        return self._open().class_to_idx

    def __len__(self):
        count = self._open().num_samples
        if count < 0:
            raise TypeError("only reading tells how many samples there are")
        return count

    def __getitem__(self, number):
        batch = self.batch(number)
        return batch.images[0], int(batch.labels[0])

    def batch(self, number):
        """The sample as a `Batch` of one, with its id and, if asked for, its fields."""
        loader, count = self._open(), len(self)
        if not -count <= number < count:
            raise IndexError("sample %d of %d" % (number, count))
        number = int(number) % count
        if number != self._next:
            state = json.dumps({**self._state, "epoch": 0, "done": number})
            loader.load_state_dict({"state": state, "epoch": 0})
            self._batches = iter(loader)
        self._next = -1  # if it fails
        batch = next(self._batches)
        self._next = number + 1
        return batch

    def to_tf_dataset(self, batch_size=64, shuffle=True, **options):
        """All samples as a tf.data.Dataset of batches; options as for `Loader`."""
        given = {**self._options, "batch_size": batch_size, "shuffle": shuffle, **options}
        return Loader(self._data, **given).to_tf_dataset()

    def __repr__(self):
        return "Dataset(%r: %d samples in %d classes)" % (str(self._data), len(self), len(self.classes))

    def __reduce__(self):
        return _again, (type(self), self._data, self._options)

    def close(self):
        if self._process == os.getpid():
            self._loader.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _again(kind, data, options):
    return kind(data, **options)
