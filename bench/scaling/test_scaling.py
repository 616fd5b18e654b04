# SPDX-License-Identifier: Apache-2.0
"""Tests of the arithmetic of scaling.py: `python3 -m unittest discover bench/scaling`."""

import argparse
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import law
import scaling


def rates(cores, *parameters):
    return {n: law.rate(n, parameters) for n in cores}


class Law(unittest.TestCase):
    def test_finds_what_rates_were_made_of(self):
        for expected in ((1000, 0.03, 0.0005), (7.5, 0.2, 0.01), (1, 0, 0.002), (1, 0.1, 0)):
            got = law.fit(rates((1, 2, 4, 8, 16), *expected))
            for a, b in zip(expected, got):
                self.assertAlmostEqual(a, b, 9)

    def test_least_squares_lie_between_points_that_disagree(self):
        exact = rates((1, 2, 4, 8), 100, 0.05, 0.001)
        _, sigma, kappa = law.fit({n: x * (1.01 if n == 4 else 1) for n, x in exact.items()})
        self.assertAlmostEqual(0.05, sigma, 1)
        self.assertAlmostEqual(0.001, kappa, 2)

    def test_two_points_tell_contention_alone(self):
        self.assertEqual((100, 0.25, None), law.fit({1: 100, 2: 160}))

    def test_one_point_tells_its_rate_alone(self):
        self.assertEqual((100, None, None), law.fit({1: 100}))

    def test_needs_the_rate_of_one_core(self):
        with self.assertRaises(ValueError):
            law.fit({2: 100, 4: 200})

    def test_more_than_n_times_is_no_contention(self):
        self.assertEqual((100, 0.0, None), law.fit({1: 100, 2: 205}))
        self.assertEqual((100, 0.0, 0.0), law.fit({1: 100, 2: 205, 4: 420}))

    def test_rate_falls_behind_its_peak(self):
        parameters = (100, 0.02, 0.005)
        peak = ((1 - 0.02) / 0.005) ** 0.5  # Gunther: the n of the greatest rate
        self.assertEqual(14, round(peak))
        self.assertGreater(law.rate(14, parameters), law.rate(11, parameters))
        self.assertGreater(law.rate(14, parameters), law.rate(17, parameters))


class Left(unittest.TestCase):
    def test_share_of_cores(self):
        self.assertEqual(1.0, law.left(2, 10, 0))
        self.assertEqual(0.75, law.left(2, 10, 5))
        self.assertEqual(1.0, law.left(1, 10, -0.02))  # ticks are coarse
        self.assertEqual(0.05, law.left(1, 10, 11))


class Bounds(unittest.TestCase):
    SIZES = {"encoded": 100, "pixels": 1000, "jpegs": 1.0, "slot": 500}

    def test_bytes_of_a_sample(self):
        self.assertEqual(400 + 3 * 1500 + 1500, law.bytes_moved(self.SIZES))
        self.assertEqual(400 + 3 * 3000 + 1500, law.bytes_moved({**self.SIZES, "jpegs": 0.0}))

    def test_what_binds(self):
        rows = law.predict((1, 2, 8, 16), (100, 0.05, None), 1e9, 1e6)
        self.assertEqual(["cores", "cores", "contention", "contention"], [r["bound"] for r in rows])
        rows = law.predict((1, 4, 16), (100, 0.0, None), 1e9, 2e6)
        self.assertEqual(["cores", "cores", "memory"], [r["bound"] for r in rows])
        self.assertEqual(500, rows[2]["rate"])
        rows = law.predict((16,), (100, 0.001, 0.01), 1e12, 1)
        self.assertEqual("coherency", rows[0]["bound"])


class Report(unittest.TestCase):
    def result(self, cores, of):
        runs = {
            n: [
                {"samples": 10 * x, "seconds": 10, "blocked": 1, "waited": 2 * x, "cpu": 9, "left": 1}
                for x in values
            ]
            for n, values in of.items()
        }
        job = argparse.Namespace(cores=4)
        return scaling.evaluate(job, cores, runs, {1: [3e9, 1e9, 2e9]}, Bounds.SIZES, None)

    def test_medians_are_fitted_and_threads_beyond_the_cores_are_not(self):
        result = self.result(2, {1: [100, 90, 500], 2: [160], 4: [10]})
        self.assertEqual({1: 100, 2: 160, 4: 10}, result["rates"])
        self.assertEqual({"lambda": 100, "sigma": 0.25, "kappa": None}, result["law"])
        self.assertEqual({1: 2e9}, result["bandwidth"])
        self.assertEqual(0.2, result["waited"][2])
        printed = scaling.text(result)
        self.assertIn("on 2 cores: not fitted", printed)
        self.assertIn("cannot be told from two points", printed)
        self.assertEqual(4, len(result["predicted"]))

    def test_counters_go_before_sizes(self):
        job = argparse.Namespace(cores=1)
        runs = {1: [{"samples": 1, "seconds": 1, "blocked": 0, "waited": 0, "cpu": 1, "left": 0.5}]}
        result = scaling.evaluate(job, 1, runs, {1: [1]}, Bounds.SIZES, 12345.0)
        self.assertEqual(12345.0, result["bytes_per_sample"])
        self.assertEqual("counters", result["bytes_by"])
        self.assertEqual(2, result["rates"][1])

    def test_numbers_of_threads(self):
        self.assertEqual([1, 2, 4], scaling.numbers(None, 6))
        self.assertEqual([1, 3, 8], scaling.numbers("8,3", 2))


if __name__ == "__main__":
    unittest.main()
