# SPDX-License-Identifier: Apache-2.0
"""Tests of the arithmetic behind the tables: `python3 -m unittest discover bench/peers`."""

import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import contenders
import measure
import peers
import report
import sets


def runs(*rates):
    return [r and {"samples_per_second": r, "cpu_ms_per_sample": 1.0} for r in rates]


class Summary(unittest.TestCase):
    def test_ratio_is_the_median_of_the_rounds_ratios(self):
        # The second round was slow for all: the ratio of medians would be 2.0, too.
        got = report.summary({"headrace": runs(20, 2, 30), "a": runs(10, 1, 10)})
        self.assertEqual(2.0, got["rows"]["headrace"]["to_best_peer"])
        self.assertEqual(20, got["rows"]["headrace"]["samples_per_second"])

    def test_best_peer_is_never_headrace(self):
        got = report.summary({"headrace": runs(9), "headrace-exact": runs(10), "a": runs(1)})
        self.assertEqual("a", got["best_peer"])

    def test_a_failed_run_is_left_out_with_its_pair(self):
        got = report.summary({"headrace": runs(10, None, 40), "a": runs(10, 1, 20)})
        self.assertEqual(1.5, got["rows"]["headrace"]["to_best_peer"])
        self.assertEqual(2, got["rows"]["headrace"]["runs"])

    def test_without_peers_there_is_no_ratio(self):
        got = report.summary({"headrace": runs(10), "a": runs(None)})
        self.assertIsNone(got["rows"]["headrace"]["to_best_peer"])
        self.assertNotIn("a", got["rows"])


class Check(unittest.TestCase):
    expected = {"samples": 4, "shape": [224, 224, 3], "dtype": "uint8"}

    def delivered(self, **changes):
        good = dict(samples=4, distinct=4, shape=[224, 224, 3], dtype="uint8", mean=[1.0, 2.0, 3.0])
        return {**good, **changes}

    def faults(self, **changes):
        others = {"b": self.delivered(), "c": self.delivered(mean=None)}
        return report.check_faults({"a": self.delivered(**changes), **others}, self.expected, 2)["a"]

    def test_the_same_is_sound(self):
        self.assertEqual([], self.faults())

    def test_each_difference_is_told(self):
        changes = dict(samples=3, distinct=2, shape=[3], dtype="int8", mean=[9.0, 2.0, 3.0])
        for what, value in changes.items():
            self.assertEqual(1, len(self.faults(**{what: value})), what)

    def test_boxes_are_compared(self):
        self.assertEqual([], self.faults(boxes=[2.0, 30.0]))
        others = {n: self.delivered(boxes=[2.0, 30.0]) for n in "bc"}
        checks = {"a": self.delivered(boxes=[2.0, 20.0]), **others}
        faults = report.check_faults(checks, self.expected, 2)
        self.assertEqual([1, 0, 0], [len(faults[n]) for n in "abc"])

    def test_what_did_not_run_is_a_fault(self):
        self.assertEqual({"a": ["did not run"]}, report.check_faults({"a": None}, self.expected, 2))


class Crops(unittest.TestCase):
    def test_boxes_are_inside(self):
        draw = random.Random(7)
        for _ in range(2000):
            width, height = draw.randint(1, 900), draw.randint(1, 900)
            left, top, w, h = measure.crop_box(width, height, draw)
            self.assertTrue(0 <= left <= width - w and 0 <= top <= height - h and w > 0 and h > 0)

    def test_shorter_side(self):
        self.assertEqual((256, 341), measure.shorter_side(375, 500))
        self.assertEqual((341, 256), measure.shorter_side(500, 375))


class Records(unittest.TestCase):
    def test_payloads_are_found_by_their_lengths(self):
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "records"))
        import record_loop

        with tempfile.TemporaryDirectory() as root:
            path = os.path.join(root, "a.tfrecord")
            with open(path, "wb") as file:
                for payload in (b"abc", b""):
                    file.write(len(payload).to_bytes(8, "little") + b"crc4" + payload + b"crc4")
            self.assertEqual([b"abc", b""], record_loop.plain_records(path))
            self.assertEqual((2, 3), record_loop.one_by_one([b"abc", b""]))

    def test_who_reads_zstd(self):
        found = [c.name for c in contenders.RECORDS if "zstd" in c.compressions]
        self.assertEqual(["headrace"], found)


class Words(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual([0, 1, 4], peers.numbers("0-1,4"))

    def test_figures(self):
        shown = [report.figure(x) for x in (1234.4, 12.345, 0.012345, None)]
        self.assertEqual(["1,234", "12.3", "0.0123", ""], shown)

    def test_files_are_sorted_and_only_images(self):
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, "b"))
            for name in ("2.JPG", "1.png", "note.txt"):
                open(os.path.join(root, "b", name), "w").close()
            found = [os.path.basename(f) for f in measure.files(root)]
            self.assertEqual(["1.png", "2.JPG"], found)

    def test_markdown_has_as_many_cells_in_each_line(self):
        lines = report.markdown(["a", "b"], [["1", "2"]]).splitlines()
        self.assertEqual({3}, {line.count("|") for line in lines})

    def test_what_is_converted_has_a_folder_and_sets_are_known(self):
        for each in contenders.IMAGES:
            self.assertEqual(bool(each.conversion), each.container == "race", each.name)
            self.assertLessEqual(set(each.sets), {*sets.KINDS, "data", "photos"}, each.name)

    def test_families_have_contenders_and_work(self):
        names = {each.name for each in contenders.IMAGES}
        for family, who in contenders.FAMILIES.items():
            self.assertLessEqual(set(who), names)
            self.assertIn(family, measure.WORK)
            self.assertIn(family, sets.FAMILIES)

    def test_every_environment_has_its_requirements_and_import(self):
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "envs")
        for each in contenders.IMAGES + contenders.RECORDS + contenders.WRITERS:
            if each.program:
                self.assertTrue(os.path.exists(os.path.join(folder, "..", each.program)))
            if each.environment:
                self.assertTrue(os.path.exists(os.path.join(folder, each.environment + ".txt")))
                self.assertIn(each.environment, contenders.IMPORTS)


if __name__ == "__main__":
    unittest.main()
