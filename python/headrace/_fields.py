# SPDX-License-Identifier: Apache-2.0
"""What batches hold beside images and labels: values that differ in size, and texts."""


class Ragged:
    """Rows of all samples after each other: `values[offsets[i]:offsets[i + 1]]` are those of sample i.

    offsets: int64 [size + 1]
    values: array [rows, …]

    `field[i]` is one sample's rows, a view; `split()` is a list of them all.

    >>> boxes = Ragged([0, 1, 3], [[5, 6], [1, 2], [3, 4]])
    >>> len(boxes), boxes[1], boxes[-2]
    (2, [[1, 2], [3, 4]], [[5, 6]])
    """

    __slots__ = ("offsets", "values")

    def __init__(self, offsets, values):
        self.offsets, self.values = offsets, values

    def __len__(self):
        return len(self.offsets) - 1

    def __getitem__(self, sample):
        sample = _index(sample, len(self))
        return self.values[int(self.offsets[sample]) : int(self.offsets[sample + 1])]

    def split(self):
        """Each sample's rows: views of the values."""
        ends = self.offsets.tolist()
        return [self.values[a:b] for a, b in zip(ends, ends[1:])]

    def __iter__(self):
        return iter(self.split())

    def __repr__(self):
        return "Ragged(%d samples, %d rows)" % (len(self), len(self.values))

    def __reduce__(self):
        return Ragged, (self.offsets, self.values)


class Texts:
    """Texts of all samples, decoded when they are asked for: `field[i]`, `list(field)`.

    offsets: where each begins among the bytes, and where the last ends: a memoryview of int64
    values: all of them after each other, UTF-8

    >>> import array
    >>> captions = Texts(array.array("q", [0, 3, 5]), "caté".encode())
    >>> captions[1], list(captions)
    ('é', ['cat', 'é'])
    """

    __slots__ = ("offsets", "values")

    def __init__(self, offsets, values):
        self.offsets, self.values = memoryview(offsets).cast("B").cast("q"), values

    def __len__(self):
        return len(self.offsets) - 1

    def __getitem__(self, sample):
        sample = _index(sample, len(self))
        return str(self.values[self.offsets[sample] : self.offsets[sample + 1]], "utf-8")

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __eq__(self, other):
        return list(self) == list(other) if isinstance(other, (Texts, list, tuple)) else NotImplemented

    __hash__ = None

    def tolist(self):
        """All of them, as `list(field)`."""
        return list(self)

    def __repr__(self):
        return "Texts(%d samples)" % len(self)

    def __reduce__(self):
        return Texts, (bytes(self.offsets), bytes(self.values))


def _index(sample, size):
    if not -size <= sample < size:
        raise IndexError("sample %d of %d" % (sample, size))
    return sample % size if size else 0
