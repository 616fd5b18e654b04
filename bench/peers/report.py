# SPDX-License-Identifier: Apache-2.0
"""Medians, ratios and tables of what peers.py measured; pure arithmetic and text."""

from statistics import median


def summary(runs, first="headrace"):
    """For each contender: median, least and greatest rate, CPU time, and ratio to the best peer.

    `runs` maps a contender to its runs, one a round; a run is None if it failed. The best peer is
    the one with the greatest median among those not of Headrace's own. A ratio is the median of the
    rounds' ratios, so that what slows a whole round does not count.
    """
    rows = {}
    for name, results in runs.items():
        good = [r for r in results if r]
        if not good:
            continue
        rates = [r["samples_per_second"] for r in good]
        cpu = [r["cpu_ms_per_sample"] for r in good if r.get("cpu_ms_per_sample") is not None]
        megabytes = [r["megabytes_per_second"] for r in good if "megabytes_per_second" in r]
        rows[name] = {
            "samples_per_second": median(rates),
            "least": min(rates),
            "greatest": max(rates),
            "cpu_ms_per_sample": median(cpu) if cpu else None,
            "megabytes_per_second": median(megabytes) if megabytes else None,
            "runs": len(good),
        }
    peers = [n for n in rows if not n.startswith(first)]
    best = max(peers, key=lambda n: rows[n]["samples_per_second"], default=None)
    for name, row in rows.items():
        pairs = zip(runs[name], runs[best]) if best else ()
        ratios = [a["samples_per_second"] / b["samples_per_second"] for a, b in pairs if a and b]
        row["to_best_peer"] = round(median(ratios), 3) if ratios else None
    return {"best_peer": best, "rows": rows}


# How far the number of boxes left by crops at random, and what they cover, may be from the others'.
BOXES = 0.15


def figure(value, digits=3):
    """A number as tables show it: about three digits that count, thousands with commas."""
    if value is None:
        return ""
    if value >= 100:
        return "{:,.0f}".format(value)
    return "{:.{}g}".format(value, digits)


def check_faults(checks, expected, tolerance):
    """Worded faults: {contender: [fault]}. `checks` maps a contender to what one epoch delivered.

    Means are compared with the median over all contenders, channel by channel, and so are boxes.
    """
    means = [c["mean"] for c in checks.values() if c and c.get("mean")]
    middle = [median(m[channel] for m in means) for channel in range(3)] if means else None
    boxes = [c["boxes"] for c in checks.values() if c and c.get("boxes")]
    middles = [median(b[i] for b in boxes) for i in range(2)] if boxes else None
    faults = {}
    for name, got in checks.items():
        found = faults.setdefault(name, [])
        if got is None:
            found.append("did not run")
            continue
        for what in ("samples", "distinct"):
            if got[what] != expected["samples"]:
                found.append("%s: %s of %s" % (what, got[what], expected["samples"]))
        for what in ("shape", "dtype"):
            if got[what] != expected[what]:
                found.append("%s: %s, expected %s" % (what, got[what], expected[what]))
        if got.get("mean") and middle:
            off = max(abs(a - b) for a, b in zip(got["mean"], middle))
            if off > tolerance:
                found.append("mean %s is %.1f from the others' %s" % (got["mean"], off, middle))
        if got.get("boxes") and middles:
            off = max(abs(a / b - 1) for a, b in zip(got["boxes"], middles))
            if off > BOXES:
                found.append("boxes %s, those of the others %s" % (got["boxes"], middles))
    return faults


def table(heads, lines):
    """Aligned plain text."""
    rows = [heads] + lines
    widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
    text = []
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        text.append("  ".join(cells).rstrip())
    return "\n".join(text)


def markdown(heads, lines):
    text = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    return "\n".join(text + ["| " + " | ".join(line) + " |" for line in lines])


def rows_of(cell, labels, records):
    """Heads and lines of one measurement's table, best first."""
    unit = "records/s" if records else "samples/s"
    heads = ["loader", "workers", unit, "least–greatest"]
    heads += ["MB/s"] if records else []
    heads += ["CPU ms/sample", "× best peer"]
    lines = []
    rows = cell["summary"]["rows"]
    for name in sorted(rows, key=lambda n: -rows[n]["samples_per_second"]):
        row = rows[name]
        ends = "%s–%s" % (figure(row["least"]), figure(row["greatest"]))
        line = [labels[name], str(cell["workers"][name]), figure(row["samples_per_second"]), ends]
        line += [figure(row["megabytes_per_second"])] if records else []
        ratio = "" if row["to_best_peer"] is None else "%.2f" % row["to_best_peer"]
        lines.append(line + [figure(row["cpu_ms_per_sample"]), ratio])
    return heads, lines


def document(result):
    """What to say below the tables, and all as Markdown, tables included."""
    text, mark = [], []
    for cell in result["cells"]:
        heads, lines = rows_of(cell, result["labels"], cell["kind"] == "records")
        mark += [cell["title"] + ":", "", markdown(heads, lines), ""]
    for name, why in sorted(result["skipped"].items()):
        text.append("skipped %s: %s" % (name, why))
        mark.append("Skipped %s: %s.  " % (name, why.rstrip(".")))
    about = result["machine"]
    found = ", ".join("%s %s" % item for item in sorted(result["versions"].items()))
    says = [
        "%s, cores %s of %d, %s; Linux %s, Python %s; load %.1f at the beginning, %.1f at the end."
        % (
            about["cpu"],
            about["cores"],
            about["cpus"],
            about["memory"],
            about["kernel"],
            about["python"],
            about["load_before"],
            about["load_after"],
        ),
        "Versions: %s." % found,
        "%s; Headrace at %s." % (result["command"], result["commit"]),
    ]
    text += [""] + says
    how = "`%s`; Headrace at %s." % (result["command"], result["commit"])
    mark += ["", says[0], "", says[1], "", how]
    return "\n".join(text), "\n".join(mark) + "\n"
