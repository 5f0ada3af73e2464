"""What was allowed of tools, over the wire: told to every tab, and taken back for good."""
import json
import os
import pathlib
import tempfile
import time
import unittest

from parley import Server, need_model, run
from web_socket import WebSocket, command


def write_private(path, value):
    path.write_text(json.dumps(value))
    os.chmod(path, 0o600)


@need_model
class Approvals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parley-e2e-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name)
        self.tools = self.data / "tools.json"
        write_private(self.tools, {"tools": {"clock": {"builtin": "current_time"}}})
        allowed = {"source": "builtin", "tool": "clock", "definition": "an older one", "since": 1796034195042}
        write_private(self.data / "approvals.json", {"always": [allowed, {**allowed, "tool": "gone"}]})

    def start(self):
        server = Server("--tools", self.tools, data=str(self.data))
        self.addCleanup(server.close)
        return server

    def tab(self, server):
        socket = WebSocket(server.url)
        self.addCleanup(socket.close)
        return socket

    def settled(self, socket):
        """The list of tools when it has been read and counted."""
        end = time.time() + 30
        while not (listed := socket.ask(command("tools")))["counted"] or not listed["items"]:
            self.assertLess(time.time(), end, listed)
            time.sleep(0.05)
        return listed

    def test_are_told_and_taken_back_in_every_tab_and_for_good(self):
        server = self.start()
        here, there = self.tab(server), self.tab(server)
        listed = self.settled(here)
        self.assertEqual([tool["name"] for tool in listed["items"]], ["clock"])
        self.assertEqual(listed["approvals"], [
            {"tool": name, "source": "builtin", "conversation": None, "since": 1796034195042, "holds": False}
            for name in ("clock", "gone")])
        self.settled(there)
        there.events.clear()
        forget = command("forget_approval", tool="clock")
        self.assertEqual(here.ask(forget), {"type": "ack", "re": forget["id"]})
        there.wait_for("tools_changed")
        self.assertEqual([one["tool"] for one in there.ask(command("tools"))["approvals"]], ["gone"])
        refused = run("tools", "approvals", "--data", self.data, "--forget", "gone")
        self.assertEqual((refused[0], "is in use by process" in refused[2]), (1, True), refused)
        server.end()
        self.assertEqual(run("tools", "approvals", "--data", self.data, "--forget", "gone")[0], 0)
        logged = [json.loads(line) for line in (self.data / "tools.log").read_text().splitlines()]
        self.assertEqual([(one["tool"], one["decision"]) for one in logged], [("clock", "withdrawn"), ("gone", "withdrawn")])
        self.assertEqual(self.settled(self.tab(self.start()))["approvals"], [])


if __name__ == "__main__":
    unittest.main()
