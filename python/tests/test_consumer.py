"""A trainer's own rate, measured on batches that come again and again."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from headrace.consumer import KEPT, Rate, replayed


class Measuring(unittest.TestCase):
    def test_the_first_batches_come_again_as_many_as_there_would_be(self):
        given = []

        def batches():
            for i in range(100):
                given.append(i)
                yield [i] * 4

        kept = []
        rate = Rate(1000, self.fail)
        first = [batch[0] for batch in replayed(kept, batches(), 20, rate)]
        again = [batch[0] for batch in replayed(kept, batches(), 3, rate)]
        self.assertEqual(first, [i % KEPT for i in range(20)])
        self.assertEqual(again, [0, 1, 2])
        self.assertEqual(given, list(range(KEPT)))
        self.assertEqual(rate.taken, 4 * 23)

    def test_the_rate_is_that_after_warming_up(self):
        said = []
        rate = Rate(2.0, said.append)
        for _ in range(4):
            rate.add(10, 0.5)  # warms up
        for _ in range(4):
            rate.add(100, 0.5)
        self.assertEqual(said, [200.0])

    def test_what_is_not_trained_on_does_not_count(self):
        rate = Rate(1000, self.fail)
        self.assertEqual(len(list(replayed([], [[1]], 5, rate, lambda: False))), 5)
        self.assertEqual((rate.taken, rate.spent), (0, 0.0))


if __name__ == "__main__":
    unittest.main()
