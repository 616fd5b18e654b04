# SPDX-License-Identifier: Apache-2.0
"""The whole command line: `python -m headrace …`."""

import os
import sys

from headrace import HeadraceError, _engine


def main():
    """Becomes the command, so that signals and exit codes are its own."""
    try:
        command = _engine.find()
    except HeadraceError as error:
        print("headrace: %s" % error, file=sys.stderr)
        return 1
    sys.stdout.flush()
    os.execv(command[0], [*command, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
