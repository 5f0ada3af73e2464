"""kill -9 and a new server on the same folder: a command that is repeated then is answered as the first time, and nothing
happens twice."""
import signal
import tempfile
import unittest
import uuid

from parley import Server, need_model
from web_socket import WebSocket, command

STORY = "Write a long story about a lighthouse keeper, with many details."


@need_model
class Repetition(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="parley-e2e-", ignore_cleanup_errors=True)
        self.addCleanup(self.folder.cleanup)
        self.chat = str(uuid.uuid4())
        self.server = None
        self.start()
        self.addCleanup(lambda: self.end(signal.SIGTERM))

    def start(self):
        self.server = Server(data=self.folder.name)
        self.socket = WebSocket(self.server.url)

    def end(self, number):
        self.socket.close()
        self.server.end(number)
        self.server.close()

    def kill_and_restart(self):
        self.end(signal.SIGKILL)
        self.start()

    def acknowledged(self, frame):
        answer = self.socket.ask(frame)
        self.assertEqual(answer["type"], "ack", answer)
        return answer

    def of_chat(self, kind, **fields):
        return command(kind, conversation=self.chat, **fields)

    def begin_story(self):
        """Until the answer grows; the command and its acknowledgement."""
        self.acknowledged(self.of_chat("create", title="A story"))
        self.acknowledged(self.of_chat("open"))
        send = self.of_chat("send", text=STORY)
        answer = self.acknowledged(send)
        self.socket.wait_for("delta")
        return send, answer

    def snapshot(self):
        """A fresh one."""
        self.socket.events.clear()
        self.acknowledged(self.of_chat("open"))
        return self.socket.wait_for("snapshot")

    def assert_same_after(self, frame, answer):
        """Repeats it: the same answer, and nothing has changed or is being generated."""
        before = self.snapshot()
        self.assertEqual(self.socket.ask(frame), answer)
        after = self.snapshot()
        self.assertEqual(after["messages"], before["messages"])
        self.assertEqual(after["summary"], before["summary"])
        self.assertFalse(after["summary"]["answering"])

    def test_of_commands_that_begin_an_answer(self):
        send, sent = self.begin_story()
        self.kill_and_restart()
        self.assert_same_after(send, sent)
        question, cut = self.snapshot()["messages"]
        self.assertEqual((question["message"], question["text"]), (send["id"], STORY))
        self.assertEqual((cut["message"], cut["status"]), (sent["message"], "interrupted"))

        resume = self.of_chat("continue", message=cut["message"])
        resumed = self.acknowledged(resume)
        self.socket.wait_for("delta")
        self.kill_and_restart()
        self.assert_same_after(resume, resumed)
        self.assert_same_after(send, sent)
        again = self.snapshot()["messages"][1]
        self.assertEqual(again["status"], "interrupted")
        self.assertTrue(again["text"].startswith(cut["text"]))

        anew = self.of_chat("regenerate", message=cut["message"])
        regenerated = self.acknowledged(anew)
        self.assertEqual(regenerated["message"], anew["id"])
        self.socket.wait_for("delta")
        self.kill_and_restart()
        self.assert_same_after(anew, regenerated)
        self.assert_same_after(resume, resumed)

    def test_of_commands_that_a_later_one_has_undone(self):
        done = []
        for frame in (self.of_chat("create", title="first"), self.of_chat("rename", title="second"),
                      self.of_chat("settings", system_prompt="Be brief.", temperature=0.5), self.of_chat("delete"),
                      self.of_chat("undelete")):
            done.append((frame, self.acknowledged(frame)))
        self.acknowledged(self.of_chat("rename", title="third"))
        self.acknowledged(self.of_chat("settings", system_prompt="Be kind.", temperature=None))
        self.kill_and_restart()
        for frame, answer in done:
            self.assert_same_after(frame, answer)
        summary = self.snapshot()["summary"]
        self.assertEqual(summary["title"], "third")
        self.assertEqual(summary["settings"], {"system_prompt": "Be kind.", "temperature": None, "max_tokens": None, "tools": None})
        self.assertFalse(summary["deleted"])
        other = self.socket.ask({**done[1][0], "title": "other"})
        self.assertEqual((other["type"], other["code"]), ("error", "conflict"))

    def test_of_a_stop_leaves_a_later_answer_alone(self):
        self.begin_story()
        stop = self.of_chat("stop")
        stopped = self.acknowledged(stop)
        self.assertEqual(self.snapshot()["messages"][1]["status"], "stopped")
        self.kill_and_restart()
        self.acknowledged(self.of_chat("open"))
        self.acknowledged(self.of_chat("send", text=STORY))
        self.socket.wait_for("delta")
        self.assertEqual(self.socket.ask(stop), stopped)
        # It goes on, unless it was so short that it has ended by itself.
        self.assertIn(self.snapshot()["messages"][-1]["status"], ("streaming", "complete"))


if __name__ == "__main__":
    unittest.main()
