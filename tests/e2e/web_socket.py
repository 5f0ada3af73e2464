"""A WebSocket client of a few lines (RFC 6455): text frames of JSON, without fragments and extensions."""
import base64
import json
import os
import socket
import uuid


class WebSocket:
    """A connection to /ws with the greeting read. Frames that answer no command are kept in `events`."""

    def __init__(self, url, timeout=30):
        host = url.removeprefix("http://")
        name, port = host.rsplit(":", 1)
        self.connection = socket.create_connection((name, int(port)), timeout)
        self.stream = self.connection.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.connection.sendall((f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                 f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        status = self.stream.readline().decode()
        if " 101 " not in status:
            raise RuntimeError("no WebSocket: " + status)
        while self.stream.readline().strip():
            pass
        self.events = []
        self.hello = self.read()

    def write(self, frame):
        data, mask = json.dumps(frame).encode(), os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        self.connection.sendall(b"\x81" + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def read(self):
        """The next text frame; a ping is answered by nobody, tests are shorter than the server's patience."""
        while True:
            head = self.stream.read(2)
            if len(head) < 2:
                raise ConnectionError("the server has closed the connection")
            size = head[1] & 0x7F
            if size > 125:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            data = self.stream.read(size)
            if head[0] == 0x81:
                return json.loads(data)

    def ask(self, frame):
        """Sends a command and returns its answer."""
        self.write(frame)
        while (answer := self.read()).get("re") != frame["id"]:
            self.events.append(answer)
        return answer

    def wait_for(self, kind):
        """The next event of that type."""
        while True:
            event = self.events.pop(0) if self.events else self.read()
            if event["type"] == kind:
                return event

    def close(self):
        self.stream.close()
        self.connection.close()


def command(kind, **fields):
    return {"type": kind, "id": str(uuid.uuid4()), **fields}
