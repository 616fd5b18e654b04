#!/usr/bin/env python3
"""Makes the man page headrace.1 of what the command's --help says: scripts/manual.py COMMAND OUT."""

import re
import subprocess
import sys


def help_of(command, *words):
    return subprocess.run(
        [command, *words, "--help"], check=True, capture_output=True, text=True
    ).stdout.rstrip()


def literal(text):
    """Text as it stands, for roff."""
    lines = [line.replace("\\", "\\e").replace("-", "\\-") for line in text.splitlines()]
    return "\n".join([".nf", *("\\&" + line if line[:1] in ".'" else line for line in lines), ".fi"])


def main(command, out):
    version = subprocess.run([command, "--version"], check=True, capture_output=True, text=True)
    overview = help_of(command)
    names = re.findall(r"^  ([a-z]+)  ", overview[overview.index("Commands:") :], re.M)
    parts = [
        '.TH HEADRACE 1 "" "%s"' % version.stdout.strip(),
        ".SH NAME\nheadrace \\- keeps deep\\-learning trainers fed",
        ".SH SYNOPSIS\n" + literal(overview.split("\n")[0].removeprefix("Usage: ")),
        ".SH DESCRIPTION\n" + literal("\n".join(overview.split("\n")[1:])),
    ]
    for name in names:
        parts.append(".SH HEADRACE %s\n%s" % (name.upper(), literal(help_of(command, name))))
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join([*parts, ""]))


if __name__ == "__main__":
    main(*sys.argv[1:])
