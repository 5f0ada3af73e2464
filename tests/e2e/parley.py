"""Runs the built program for tests: commands to their end, servers on a free port."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("PARLEY_BINARY") or str(ROOT / "build/release/parley")
ECHO_BINARY = pathlib.Path(BINARY).parent / "tests/app/server/parley_fake_server"
MODEL = "smollm2-135m"


def run(*arguments, stdin="", env=None, timeout=300):
    """Exit status, standard output and standard error of one command."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run([BINARY, *map(str, arguments)], input=data, capture_output=True, timeout=timeout,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def model_file():
    listed = json.loads((ROOT / "config/models.json").read_text())["models"]
    name = next(m["file"] for m in listed if m["name"] == MODEL)
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    folder = pathlib.Path(os.environ.get("PARLEY_MODELS") or os.path.join(data, "parley", "models"))
    return folder / name


def need_model(test_class):
    """Skips, and says so, where the small model is not."""
    return unittest.skipUnless(model_file().is_file(), f"no {model_file()}: scripts/model {MODEL}")(test_class)


def need_echo(test_class):
    """Skips, and says so, where the server with the echoing model was not built."""
    return unittest.skipUnless(ECHO_BINARY.is_file(), f"not built: {ECHO_BINARY}")(test_class)


class Server:
    """`parley serve` on a free port with a data folder of its own."""

    def __init__(self, *options, data=None, env=None, model=MODEL, wait=True):
        self.folder = tempfile.TemporaryDirectory(prefix="parley-e2e-", ignore_cleanup_errors=True) if data is None else None
        self.data = data or self.folder.name
        command = [BINARY, "serve", "--model", str(model), "--data", self.data, "--port", "0", "--kv-memory", "512M",
                   *map(str, options)]
        self._start(command, env)
        if wait:
            self.wait_ready()

    def _start(self, command, env=None):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **(env or {})})
        self.log = []
        threading.Thread(target=self._read_log, daemon=True).start()
        line = self.process.stdout.readline()
        if "listening on " not in line:
            raise RuntimeError(f"no server: {line} {self.wait_log()}")
        self.url = line.split("listening on ")[1].strip()

    def _read_log(self):
        for line in self.process.stderr:
            self.log.append(line)

    def wait_log(self):
        self.process.wait(10)
        time.sleep(0.1)
        return "".join(self.log)

    def wait_ready(self, timeout=60):
        end = time.time() + timeout
        while time.time() < end:
            if self.get("/health")[0] == 200:
                return
            time.sleep(0.05)
        raise RuntimeError("the model did not get ready: " + "".join(self.log))

    def request(self, method, path, body=None, headers=None, timeout=120):
        """Status, headers and body."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        fields = {"Content-Type": "application/json", **(headers or {})} if data is not None else headers or {}
        request = urllib.request.Request(self.url + path, data=data, headers=fields, method=method)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def get(self, path, headers=None):
        return self.request("GET", path, headers=headers)

    def post(self, path, body, headers=None):
        status, _, answer = self.request("POST", path, body, headers)
        return status, json.loads(answer)

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(30)
        return status

    def close(self):
        self.end(signal.SIGTERM)
        self.process.stdout.close()
        if self.folder:
            self.folder.cleanup()


class EchoServer(Server):
    """The real server with a model that does what a test tells it (tests/fakes/echo_chat_model.h)."""

    def __init__(self, *options):
        self.folder, self.data = None, None
        self._start([ECHO_BINARY, *map(str, options)])
        self.wait_ready()

    def close(self):
        super().close()
        self.process.stderr.close()
