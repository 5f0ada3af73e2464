"""The server from outside, with plain sockets: who is let in, what is refused, how it ends."""
import json
import signal
import socket
import threading
import time
import unittest

from parley import ROOT, Server, need_model

server = None


def setUpModule():
    global server
    server = Server()


def tearDownModule():
    server.close()


def raw(text, port=None, timeout=10):
    """Sends bytes as they are; the whole answer until the server closes or falls silent."""
    port = port or int(server.url.rsplit(":", 1)[1])
    data = text if isinstance(text, bytes) else text.encode()
    with socket.create_connection(("127.0.0.1", port), timeout) as connection:
        connection.sendall(data)
        connection.settimeout(2)
        answer = b""
        try:
            while block := connection.recv(65536):
                answer += block
        except (TimeoutError, ConnectionResetError):
            pass
    return answer.decode(errors="replace")


def status_of(text):
    return int(raw(text).split(" ")[1])


@need_model
class Door(unittest.TestCase):
    def setUp(self):
        self.host = server.url.removeprefix("http://")

    def get(self, *fields, path="/health", version="1.1"):
        return status_of(f"GET {path} HTTP/{version}\r\n" + "".join(f + "\r\n" for f in fields) + "Connection: close\r\n\r\n")

    def test_exact_host(self):
        port = self.host.split(":")[1]
        self.assertEqual(self.get(f"Host: {self.host}"), 200)
        self.assertEqual(self.get(f"Host: localhost:{port}"), 200)
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "127.0.0.1:1", "127.0.0.1",
                     f"localhost.:{port}", f"0.0.0.0:{port}", f"127.1:{port}", ""):
            self.assertIn(self.get(f"Host: {host}"), (400, 403, 421), host)
        self.assertEqual(self.get(), 400)
        self.assertEqual(self.get(f"Host: {self.host}", f"Host: {self.host}"), 400)

    def test_exact_origin(self):
        mine = f"Host: {self.host}"
        self.assertEqual(self.get(mine, f"Origin: http://{self.host}"), 200)
        self.assertEqual(self.get(mine, "Sec-Fetch-Site: same-origin"), 200)
        for origin in ("null", "http://evil.example", f"https://{self.host}", f"http://{self.host}.evil.example"):
            self.assertEqual(self.get(mine, f"Origin: {origin}"), 403, origin)
        self.assertEqual(self.get(mine, "Sec-Fetch-Site: cross-site", path="/v1/models"), 403)

    def test_smuggling_is_refused(self):
        start = f"POST /v1/chat/completions HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: application/json\r\n"
        for tail in ("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                     "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n",
                     "Transfer-Encoding: gzip\r\n\r\n", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                     "Content-Length: -1\r\n\r\n"):
            self.assertEqual(status_of(start + tail), 400, tail)
        old = start.replace("HTTP/1.1", "HTTP/1.0")
        self.assertEqual(status_of(old + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400)

    def test_garbage_is_no_harm(self):
        for garbage in (b"\x16\x03\x01" + bytes(200), b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", bytes(70_000),
                        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5000, b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n"):
            raw(garbage)
        self.assertEqual(server.get("/health")[0], 200)

    def test_security_fields(self):
        _, fields, _ = server.get("/")
        policy = fields["Content-Security-Policy"]
        for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"):
            self.assertIn(part, policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(fields["X-Content-Type-Options"], "nosniff")

    def test_no_file_outside_the_page(self):
        for path in ("/../../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/../../x"):
            answer = raw(f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n\r\n")
            self.assertNotIn("root:", answer, path)


@need_model
class Bodies(unittest.TestCase):
    def post(self, body, **fields):
        return server.request("POST", "/v1/chat/completions", body, fields.get("headers"))

    def test_only_json(self):
        status, _, _ = self.post(b"{}", headers={"Content-Type": "text/plain"})
        self.assertEqual(status, 415)

    def test_errors_are_openais(self):
        for body in (b"{", b"[]", b"{}", b'{"messages":[]}', b'{"messages":7}', b'{"messages":[{"role":"user"}]}',
                     b'{"messages":[{"role":"king","content":"x"}]}', b"\xff\xfe", b"[" * 100_000,
                     b'{"messages":[{"role":"user","content":"\xff"}]}'):
            status, _, answer = self.post(body)
            self.assertEqual(status, 400, body[:60])
            self.assertTrue(json.loads(answer)["error"]["message"], body[:60])

    def test_too_large(self):
        host = server.url.removeprefix("http://")
        answer = raw(f"POST /v1/chat/completions HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
                     f"Content-Length: {9 << 20}\r\n\r\n")
        self.assertIn(" 413 ", answer.splitlines()[0])

    def test_methods_and_paths(self):
        self.assertEqual(server.request("DELETE", "/v1/models")[0], 405)
        self.assertEqual(server.get("/v1/nothing")[0], 404)
        self.assertEqual(server.request("HEAD", "/health")[0], 200)


@need_model
class Life(unittest.TestCase):
    def test_port_is_open_before_the_model_is_ready(self):
        early = Server(wait=False)
        try:
            seen = set()
            for _ in range(2000):
                status, _, body = early.get("/health")
                seen.add(status)
                if status == 503:
                    self.assertEqual(json.loads(body)["status"], "loading")
                if status == 200:
                    break
            self.assertEqual(seen, {503, 200})
        finally:
            early.close()

    def test_access_key(self):
        key = "k" * 20
        guarded = Server(env={"PARLEY_ACCESS_KEY": key}, wait=False)
        try:
            for path in ("/", "/health", "/metrics", "/v1/models", "/ws"):
                self.assertEqual(guarded.get(path)[0], 401, path)
                self.assertEqual(guarded.get(path, {"Authorization": f"Bearer {key}x"})[0], 401, path)
            self.assertNotEqual(guarded.get("/health", {"Authorization": f"Bearer {key}"})[0], 401)
        finally:
            guarded.close()

    def test_tools_are_off_behind_a_proxy_without_a_key(self):
        options = ("--tools", str(ROOT / "config/tools.json"), "--allowed-hosts", "chat.example.org")
        question = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 1,
                    "parley": {"tools": ["calculator"]}}
        open_to_all = Server(*options)
        try:
            status, answer = open_to_all.post("/v1/chat/completions", question)
            self.assertEqual((status, answer["error"]["code"]), (400, "unavailable"))
            line, = [line for line in open_to_all.log if line.startswith("tools are off")]
            self.assertIn("allowed_hosts has chat.example.org", line)
            self.assertIn("PARLEY_ACCESS_KEY", line)
        finally:
            open_to_all.close()
        key = {"Authorization": "Bearer " + "k" * 20}
        guarded = Server(*options, env={"PARLEY_ACCESS_KEY": "k" * 20}, wait=False)
        try:
            while guarded.get("/health", key)[0] == 503:
                time.sleep(0.05)
            self.assertEqual(guarded.post("/v1/chat/completions", question, key)[0], 200)
            self.assertEqual([line for line in guarded.log if line.startswith("tools are off")], [])
        finally:
            guarded.close()

    def test_sigterm_lets_a_running_answer_end(self):
        draining = Server()
        result = {}
        body = {"messages": [{"role": "user", "content": "Count to twenty in words."}], "max_tokens": 60}

        def work():
            result["status"], result["answer"] = draining.post("/v1/chat/completions", body)

        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.15)
        self.assertEqual(draining.end(signal.SIGTERM), 0)
        thread.join()
        self.assertEqual(result["status"], 200)
        self.assertTrue(result["answer"]["choices"][0]["message"]["content"])
        draining.close()

    def test_full_queue_is_429(self):
        small = Server("--max-waiting", "1", "--max-sequences", "1")
        body = {"messages": [{"role": "user", "content": "Write a long story."}], "max_tokens": 300}
        statuses = []
        threads = [threading.Thread(target=lambda: statuses.append(small.post("/v1/chat/completions", body)[0]))
                   for _ in range(5)]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertIn(429, statuses)
            self.assertIn(200, statuses)
        finally:
            small.close()


if __name__ == "__main__":
    unittest.main()
