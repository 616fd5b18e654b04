# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of scaling.py: the Universal Scalability Law, and the bound that memory sets.

Of n cores a rate X(n) = λn / (1 + σ(n−1) + κn(n−1)): λ one core's rate, σ the share of work that
only one core does at a time (contention), κ what each pair of cores costs to keep in agreement
(coherency). Source: N. J. Gunther, Guerrilla Capacity Planning, Springer 2007, chapters 4 to 6; and
arXiv:0808.1431. Amdahl's law is that with κ = 0.
"""

LINE = 64


def fit(rates):
    """λ, σ and κ of medians by number of cores, {1: rate, n: rate, …}.

    λ is the rate of one core, as Gunther does it. What is left is linear: λn/X(n) − 1 =
    σ(n−1) + κn(n−1), solved for the least squares, neither below 0. With one point more than
    the first only σ can be told, and κ is None.
    """
    if 1 not in rates:
        raise ValueError("no rate of one core among %s" % sorted(rates))
    first = rates[1]
    points = [(n - 1, n * (n - 1), first * n / x - 1) for n, x in sorted(rates.items()) if n > 1]
    if not points:
        return first, None, None
    alone = max(0.0, sum(a * y for a, _, y in points) / sum(a * a for a, _, _ in points))
    if len(points) == 1:
        return first, alone, None
    aa = sum(a * a for a, _, _ in points)
    ab = sum(a * b for a, b, _ in points)
    bb = sum(b * b for _, b, _ in points)
    ay = sum(a * y for a, _, y in points)
    by = sum(b * y for _, b, y in points)
    determinant = aa * bb - ab * ab
    sigma = (ay * bb - by * ab) / determinant
    kappa = (by * aa - ay * ab) / determinant
    if kappa < 0:
        return first, alone, 0.0
    if sigma < 0:
        return first, 0.0, max(0.0, by / bb)
    return first, sigma, kappa


def rate(n, law):
    """Samples a second that the law gives n cores."""
    first, sigma, kappa = law
    return first * n / (1 + (sigma or 0) * (n - 1) + (kappa or 0) * n * (n - 1))


def left(cores, seconds, others):
    """The share of some cores that other programs left for so long, 5 % at least.

    `others` is the seconds that they ran. A rate divided by it is what a quiet machine would give,
    if time in which cores were idle would be idle there too.
    """
    return min(1.0, max(0.05, 1 - others / (cores * seconds)))


def bytes_moved(sizes):
    """Bytes that a sample takes through memory if nothing stays in a cache on its way.

    The encoded bytes are read where the system keeps them, written to the loader's memory (what is
    written is read first) and read there; of a JPEG its planes are written and read, three halves
    of a byte a pixel, of others three bytes; the slot is written, and read by the consumer.
    Pictures are counted whole, although of crops less is decoded: it is an upper bound.
    """
    planes = sizes["pixels"] * (1.5 * sizes["jpegs"] + 3 * (1 - sizes["jpegs"]))
    return 4 * sizes["encoded"] + 3 * planes + 3 * sizes["slot"]


def predict(cores, law, bandwidth, moved):
    """For each number of cores: samples a second and what binds.

    `bandwidth` is bytes a second of all cores together, `moved` bytes a sample. Bound are cores
    where 10 % or less of n times one core's rate is lost, contention or coherency (whichever costs
    more) where more is, memory where it allows less than that.
    """
    first, sigma, kappa = law
    rows = []
    for n in cores:
        by_law, by_memory = rate(n, law), bandwidth / moved
        waiting = (sigma or 0) * (n - 1)
        agreeing = (kappa or 0) * n * (n - 1)
        if by_memory < by_law:
            bound = "memory"
        elif by_law >= 0.9 * n * first:
            bound = "cores"
        else:
            bound = "contention" if waiting >= agreeing else "coherency"
        rows.append({"cores": n, "rate": min(by_law, by_memory), "bound": bound})
    return rows
