# SPDX-License-Identifier: Apache-2.0
"""The engine as a child process, or one that waits at a socket."""

import collections
import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading

from headrace._wire import BadRequest, EngineDied, Missing

LINES_KEPT = 20
USAGE = 2  # the exit status
FAILURE = "headrace serve: "  # begins the line of what the command failed of
ENDING_SECONDS = 10


def find(given=None):
    """The command: as given, else the environment variable HEADRACE, else the one that was installed
    with this package, else on PATH."""
    wanted = os.environ.get("HEADRACE") or _installed() or "headrace" if given is None else given
    if not wanted:
        raise BadRequest("headrace=%r: expected a command" % (given,))
    words = [wanted] if isinstance(wanted, (str, os.PathLike)) else [str(w) for w in wanted]
    found = shutil.which(words[0])
    if not found or _is_ours(found):
        raise BadRequest(
            "no command %s: put headrace on PATH, or name it with HEADRACE or Loader(headrace=…);"
            " a wheel made by scripts/wheel.sh brings its own" % os.fspath(words[0])
        )
    return [found, *words[1:]]


def _installed():
    """The command of a wheel that has the engine in it, or None."""
    command = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine", "bin", "headrace")
    return command if os.path.exists(command) else None


def _is_ours(command):
    """Whether a command is a script of pip's that asks this package for the command."""
    try:
        with open(command, "rb") as file:
            return b"from headrace.__main__ import main" in file.read(1000)
    except OSError:
        return False


def dataset(path):
    """A path as the command's argument, never one of its options or files of arguments."""
    text = os.fsdecode(os.fspath(path))
    if not text:
        raise Missing(errno.ENOENT, "no such file or folder", "")
    return "./" + text if text[0] in "-@" else text


class Child:
    """An engine that this process starts and ends."""

    def __init__(self, command):
        ours, its = socket.socketpair()
        with its:
            # A session of its own, so that this process handles Ctrl-C.
            self.process = subprocess.Popen(
                command, stdin=its, stderr=subprocess.PIPE, start_new_session=True
            )
        self.socket = ours
        self._first, self._last = None, collections.deque(maxlen=LINES_KEPT)
        self._lock, self._early = threading.Lock(), []
        self._relay = threading.Thread(target=self._tell, name="headrace", daemon=True)
        self._relay.start()

    def _tell(self):
        with self.process.stderr as lines:
            for line in lines:
                text = line.decode(errors="replace").rstrip()
                if "incubator modules" in text:  # of which Java tells each time
                    continue
                if not text.startswith("warning: "):
                    self._first = self._first or text
                self._last.append(text)
                with self._lock:
                    if self._early is None:
                        self._say(text)
                    else:
                        self._early.append(text)

    @staticmethod
    def _say(text):
        if not text.startswith(FAILURE):  # an exception says it
            print(text, file=sys.stderr, flush=True)

    def greeted(self, well=True):
        """Passes on the engine's output so far: if it did not start, an exception has the rest."""
        if not well:
            self._relay.join(1)
        with self._lock:
            for text in self._early or ():
                if well or text.startswith("warning: "):
                    self._say(text)
            self._early = None

    def died(self):
        """The exception for an engine that closed its end."""
        try:
            status = self.process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self._relay.join(1)
        if status == USAGE and self._first:
            return BadRequest(self._first)  # of which all the help there is follows
        words = "exit status %d" % status
        if status < 0:
            words += " (%s)" % signal.Signals(-status).name
        said = " / ".join(line for line in self._last if line)
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


class Elsewhere:
    """Engines of other hosts: nothing to begin or to end here."""

    def greeted(self, well=True):
        pass

    def end(self):
        pass


class Neighbour:
    """An engine that another process started, at a socket."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(self.path)
        except OSError as error:
            self.socket.close()
            raise BadRequest("no engine at %s: %s" % (self.path, error.strerror)) from None

    def greeted(self, well=True):
        """Its output goes elsewhere."""

    def died(self):
        return EngineDied("the engine at %s closed the connection" % self.path)

    def end(self):
        self.socket.close()
