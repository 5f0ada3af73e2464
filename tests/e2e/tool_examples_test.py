"""The examples of config/examples that need nothing from elsewhere, tried as their README says."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from parley import ROOT, run

EXAMPLES = ROOT / "config/examples"


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="parley-e2e-")
        cls.addClassCleanup(folder.cleanup)
        cls.data = pathlib.Path(folder.name) / "data"
        cls.examples = pathlib.Path(folder.name) / "examples"
        shutil.copytree(EXAMPLES, cls.examples)
        server = subprocess.Popen([sys.executable, cls.examples / "rest_server.py", "0"], stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.stdout.close)
        cls.addClassCleanup(server.terminate)
        cls.port = server.stdout.readline().rsplit(":", 1)[1].split("/")[0]
        cls.config = pathlib.Path(folder.name) / "parley.json"
        cls.config.write_text('{"model": "/nowhere/none.gguf"}')  # none is loaded to be timed
        for name in ("rest_api.json", "openapi.json"):
            file = cls.examples / name
            file.write_text(file.read_text().replace(":8099", f":{cls.port}"))

    def called(self, file, tool, arguments):
        status, out, err = run("tools", "call", "--tools", self.examples / file, "--data", self.data, tool,
                               json.dumps(arguments))
        if "cannot be fenced in here" in out.decode():
            self.skipTest("NOT TESTED: " + out.decode())
        self.assertEqual(status, 0, err + out.decode())
        return out.decode()

    def checked(self, file):
        """The policy of each tool."""
        status, out, err = run("tools", "check", self.examples / file, "--data", self.data, "--config", self.config, "--json")
        self.assertEqual(status, 0, err + out.decode())
        return {tool["name"]: tool["policy"] for tool in json.loads(out)["tools"]}

    def test_script(self):
        self.assertEqual(self.called("weather.json", "weather", {"city": "Oslo"}).strip(), "Oslo: 4 °C, rain")

    def test_sql(self):
        subprocess.run([sys.executable, self.examples / "make_library.py"], check=True, stdout=subprocess.DEVNULL)
        self.assertIn("title", self.called("sqlite.json", "library_query", {"sql": "select title from books"}))

    def test_rest_api(self):
        self.assertEqual(self.checked("rest_api.json"), {"get_post": "auto", "add_post": "ask"})
        self.assertIn("The first post.", self.called("rest_api.json", "get_post", {"id": 1}))

    def test_openapi(self):
        self.assertEqual(self.checked("openapi.json"), {"posts_get": "auto", "posts_add": "ask"})
        self.assertIn("The first post.", self.called("openapi.json", "posts_get", {"id": 1}))
        self.called("openapi.json", "posts_add", {"title": "Second", "body": "Written by a tool."})
        self.assertIn("Written by a tool.", self.called("openapi.json", "posts_get", {"id": 2}))


if __name__ == "__main__":
    unittest.main()
