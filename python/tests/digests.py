# SPDX-License-Identifier: Apache-2.0
"""Prints what a consumer at a socket gets: digests.py SOCKET EPOCHS [STOP].

A line for each batch; with STOP it stops after so many batches of the first epoch, connects again
and goes on from the state.
"""

import hashlib
import sys

from plain import Plain


def tell(batch):
    digest = hashlib.sha256()
    for part in (batch.images, batch.labels, batch.ids):
        digest.update(part)
    print(batch.epoch, batch.index, batch.size, batch.valid, digest.hexdigest())


def main(path, epochs, stop=None):
    state = None
    if stop:
        with Plain(socket=path) as loader:
            for count, batch in enumerate(loader, 1):
                tell(batch)
                if count == stop:
                    state = loader.state()
                    break
    with Plain(socket=path, state=state) as loader:
        for epoch in loader.epochs(epochs):
            for batch in epoch:
                tell(batch)
            print("end", loader.report["epoch"], loader.report["digest"], loader.report["verified"])
        print("state", loader.state())


main(sys.argv[1], *map(int, sys.argv[2:]))
