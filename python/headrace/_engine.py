# SPDX-License-Identifier: Apache-2.0
"""The engine as a child process, or one that waits at a socket."""

import collections
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading

from headrace._wire import BadRequest, EngineDied

LINES_KEPT = 20
USAGE = 2  # the exit status
ENDING_SECONDS = 10


def find(given=None):
    """The command: as given, else the environment variable HEADRACE, else on PATH."""
    wanted = given or os.environ.get("HEADRACE") or "headrace"
    words = [wanted] if isinstance(wanted, (str, os.PathLike)) else [str(w) for w in wanted]
    found = shutil.which(words[0])
    if not found:
        raise BadRequest(
            "no command %s: put headrace on PATH, or name it with HEADRACE or Loader(headrace=…)"
            % os.fspath(words[0])
        )
    return [found, *words[1:]]


def options(given):
    """Options of `headrace serve` from keyword arguments: batch=128, exact=True."""
    words = []
    for name, value in given.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if isinstance(value, dict):  # features={"image": "img", "label": "target"}
            value = ",".join("%s=%s" % (role, value[role] or "") for role in value)
        if value is not True:
            words.append(os.fspath(value) if isinstance(value, os.PathLike) else str(value))
    return words


class Child:
    """An engine that lives as long as this process wants it to."""

    def __init__(self, command):
        ours, its = socket.socketpair()
        with its:
            # A session of its own, so that Ctrl-C is this process's to handle.
            self.process = subprocess.Popen(
                command, stdin=its, stderr=subprocess.PIPE, start_new_session=True
            )
        self.socket = ours
        self._first, self._last = None, collections.deque(maxlen=LINES_KEPT)
        self._relay = threading.Thread(target=self._tell, name="headrace", daemon=True)
        self._relay.start()

    def _tell(self):
        with self.process.stderr as lines:
            for line in lines:
                text = line.decode(errors="replace").rstrip()
                if "incubator modules" not in text:  # of which Java tells each time
                    self._first = self._first or text
                    self._last.append(text)
                    print(text, file=sys.stderr, flush=True)

    def died(self):
        """The exception for an engine that closed its end."""
        try:
            status = self.process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self._relay.join(1)
        words = "exit status %d" % status
        if status < 0:
            words += " (%s)" % signal.Signals(-status).name
        # A usage error is one line ahead of all the help there is.
        lines = [self._first or ""] if status == USAGE else self._last
        said = " / ".join(line for line in lines if line)
        return EngineDied("the engine ended with %s%s" % (words, said and ": " + said), status)

    def end(self):
        """Ends it, by force if it takes too long. Its connection is closed already."""
        self.socket.close()
        try:
            self.process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._relay.join(1)


class Neighbour:
    """An engine that somebody else started, at a socket."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(self.path)
        except OSError as error:
            self.socket.close()
            raise BadRequest("no engine at %s: %s" % (self.path, error.strerror)) from None

    def died(self):
        return EngineDied("the engine at %s closed the connection" % self.path)

    def end(self):
        self.socket.close()
