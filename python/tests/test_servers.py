# SPDX-License-Identifier: Apache-2.0
"""Laws of a loader that takes from several servers, of which some are killed.

    HEADRACE=$PWD/headrace python3 -m unittest discover -s python/tests -p test_servers.py

Passed over where there is no pyarrow, or where the command has no `serve --flight`.
"""

import os
import re
import signal
import subprocess
import tempfile
import threading
import unittest

from plain import Plain
from test_engine import folder

from headrace import BadRequest, EngineDied, _engine

try:
    from pyarrow import flight
except ImportError:
    flight = None

STEPS = "random_resized_crop=4,flip,uint8,hwc"
SAMPLES = 203


class Server:
    def __init__(self, data, *options, address="localhost:0"):
        command = [*_engine.find(), "serve", data, "--flight", address, "--pipeline", STEPS]
        command += ["--batch=4", "--threads=1", "--seed=5", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            found = re.match(r"waiting for a consumer at grpc(?:\+tls)?://(.*)", line)
            if found:
                self.address = found[1]
                return
            if "--flight: the module flight is not installed" in line:
                raise unittest.SkipTest(line.strip())
        raise AssertionError("the server ended")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()


def seen(batch):
    return batch.index, batch.valid, bytes(batch.images), list(batch.labels), list(batch.ids)


@unittest.skipIf(flight is None, "there is no pyarrow")
class Servers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.work = work.name
        cls.data = folder(os.path.join(work.name, "data"), SAMPLES)
        cls.servers = [cls.server() for _ in range(2)]

    @classmethod
    def server(cls, *options, **more):
        server = Server(cls.data, *options, **more)
        cls.addClassCleanup(server.process.poll)
        cls.addClassCleanup(server.kill)
        return server

    @classmethod
    def addresses(cls):
        return [server.address for server in cls.servers]

    def alone(self, rank, epoch):
        options = {"pipeline": STEPS, "batch": 4, "threads": 1, "seed": 5, "shm": self.work}
        with Plain(self.data, rank=rank, epoch=epoch, **options) as loader:
            return [seen(batch) for batch in loader]

    def test_two_trainers_get_every_sample_once_though_a_server_is_killed(self):
        dies = self.server()
        addresses = [dies.address, self.addresses()[0]]
        met = threading.Barrier(3)
        came, failures = {}, []

        def train(rank):
            try:
                with Plain(servers=addresses, rank="%d/2" % rank) as loader:
                    for epoch in range(2):
                        for batch in loader:
                            came.setdefault((rank, epoch), []).append(seen(batch))
                            if epoch == 0 and batch.index == 5:
                                met.wait(60)
                                met.wait(60)
                        self.assertEqual(loader.report["skipped"], 0)
            except Exception as error:
                failures.append(error)
                met.abort()

        trainers = [threading.Thread(target=train, args=(rank,)) for rank in range(2)]
        for trainer in trainers:
            trainer.start()
        met.wait(60)
        dies.kill()
        met.wait(60)
        for trainer in trainers:
            trainer.join()
        self.assertEqual(failures, [])
        for epoch in range(2):
            ids = [
                number
                for rank in range(2)
                for _, valid, _, _, numbers in came[rank, epoch]
                for number in numbers[:valid]
            ]
            self.assertEqual(len(ids), SAMPLES)
            self.assertEqual(len(set(ids)), SAMPLES)
            for rank in range(2):
                self.assertEqual(came[rank, epoch], self.alone("%d/2" % rank, epoch))

    def test_what_is_kept_stays_and_a_state_resumes_anywhere(self):
        expected = self.alone("0/1", 0)
        with Plain(servers=self.addresses(), prefetch=3) as loader:
            self.assertEqual(len(loader), 51)
            batches = iter(loader)
            kept = [next(batches) for _ in range(7)]
            state = loader.state()
            rest = [seen(batch) for batch in batches]
            self.assertEqual([seen(batch) for batch in kept], expected[:7])
            self.assertEqual(rest, expected[7:])
            self.assertTrue(loader.report["verified"])
            self.assertGreater(loader.copied, 0)
        options = {"pipeline": STEPS, "batch": 4, "threads": 1, "seed": 5, "shm": self.work}
        for how in ({"servers": self.addresses()[:1]}, {"data": self.data, **options}):
            with Plain(state=state, **how) as loader:
                self.assertEqual([seen(batch) for batch in loader], expected[7:])

    def test_fields_and_lz4_and_a_token(self):
        tokens = os.path.join(self.work, "tokens")
        with open(tokens, "w") as file:
            file.write("secret\n")
        server = self.server("--fields=key", "--compress=lz4", "--tokens", tokens)
        with self.assertRaisesRegex(BadRequest, "a token is asked for"):
            Plain(servers=[server.address])
        with self.assertRaisesRegex(BadRequest, "an unknown token"):
            Plain(servers=[server.address], token="guess")
        with Plain(servers=[server.address], token="secret") as loader:
            batches = list(loader)
        self.assertEqual([seen(batch) for batch in batches], self.alone("0/1", 0))
        keys = sorted(key for batch in batches for key in batch.keys)
        self.assertEqual(len(set(keys)), SAMPLES)
        self.assertIn("class1/0001", keys[-1] + keys[SAMPLES // 2] + "".join(keys))

    def test_servers_that_differ_are_refused(self):
        other = self.server("--on-error=skip")
        with self.assertRaisesRegex(BadRequest, "on_error is 'FAIL' at .* and 'SKIP' at"):
            Plain(servers=[*self.addresses(), other.address])

    def test_no_server_is_said(self):
        from headrace import _flight

        patience, _flight.PATIENCE_SECONDS = _flight.PATIENCE_SECONDS, 0
        self.addCleanup(setattr, _flight, "PATIENCE_SECONDS", patience)
        with self.assertRaisesRegex(EngineDied, "none of the servers is there: localhost:1: "):
            Plain(servers=["localhost:1"])
        with self.assertRaisesRegex(BadRequest, "expected a text HOST:PORT"):
            Plain(servers=["localhost"])
        with self.assertRaisesRegex(ValueError, "their options already"):
            Plain(servers=self.addresses(), batch=3)

    def test_any_client_of_flight_can_read_batches(self):
        import json

        import pyarrow

        client = flight.FlightClient("grpc://" + self.addresses()[0])
        ask = flight.FlightDescriptor.for_command(json.dumps({"epoch": 1, "step": 10}).encode())
        info = client.get_flight_info(ask)
        images = info.schema.field("images").type
        self.assertEqual(images, pyarrow.fixed_shape_tensor(pyarrow.uint8(), [4, 4, 3]))
        table = client.do_get(info.endpoints[0].ticket).read_all()
        expected = [row for _, _, _, row, _ in self.alone("0/1", 1)[::10]]
        self.assertEqual(table["labels"].to_pylist(), sum(expected, []))


if __name__ == "__main__":
    unittest.main()
