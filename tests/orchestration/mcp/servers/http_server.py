#!/usr/bin/env python3
"""An MCP server over streamable HTTP, for tests: http_server.py modern|legacy|stateless-legacy

Prints its port on the first line of standard output, then a line for each thing that a test may want to know:
"session-ended", "disconnected ID", "cancelled ID".
"""
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import mcp_messages as mcp

ERA = sys.argv[1]
IS_MODERN = ERA == "modern"
SESSION = None if ERA != "legacy" else "session-1"
tools = mcp.tools()
streams = []  # queues of messages for those who listen
kept_events = {}  # event id -> the rest of a stream that was broken off
cancelled = set()
print_lock = threading.Lock()


def say(words):
    with print_lock:
        print(words, flush=True)


def broadcast(message):
    for queue in streams:
        queue.append(message)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def send_json(self, status, message, headers=()):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode() if message is not None else b""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def begin_stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def send_event(self, message, event_id=None):
        prefix = f"id: {event_id}\n" if event_id else ""
        data = json.dumps({"jsonrpc": "2.0", **message}) if message is not None else ""
        self.wfile.write(f"{prefix}data: {data}\n\n".encode())
        self.wfile.flush()

    def result(self, request_id, result):
        return {"id": request_id, "result": {"resultType": "complete", **result} if IS_MODERN else result}

    def header_problem(self, message):
        params = message.get("params", {})
        expected = {"MCP-Protocol-Version": mcp.MODERN, "Mcp-Method": message["method"]}
        if message["method"] == "tools/call":
            expected["Mcp-Name"] = params["name"]
            if params["name"] == "weather":
                arguments = params.get("arguments", {})
                expected |= {f"Mcp-Param-{key.capitalize()}": str(value) for key, value in arguments.items()}
        for name, value in expected.items():
            if mcp.decoded_header(self.headers.get(name)) != value:
                return {"code": -32020, "message": f"Header mismatch: {name}"}
        return mcp.modern_problem(params)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers.get("Authorization") != "Bearer secret":
            return self.send_json(401, {"error": "unauthorized"})
        if SESSION and message.get("method") != "initialize" and self.headers.get("Mcp-Session-Id") != SESSION:
            return self.send_json(404 if self.headers.get("Mcp-Session-Id") else 400, None)
        if "id" not in message or "method" not in message:
            if message.get("method") == "notifications/cancelled":
                cancelled.add(message["params"]["requestId"])
                say(f"cancelled {message['params']['requestId']}")
            return self.send_json(202, None)
        problem = self.header_problem(message) if IS_MODERN else None
        if problem:
            return self.send_json(400, {"id": message["id"], "error": problem})
        self.answer(message["id"], message["method"], message.get("params", {}))

    def answer(self, request_id, method, params):
        if method == "server/discover" and IS_MODERN:
            self.send_json(200, self.result(request_id, {
                "supportedVersions": [mcp.MODERN], "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "modern-http", "version": "1"}}))
        elif method == "initialize" and not IS_MODERN:
            headers = [("Mcp-Session-Id", SESSION)] if SESSION else []
            self.send_json(200, self.result(request_id, {
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "legacy-http", "version": "1"}}), headers)
        elif method == "tools/list":
            self.send_json(200, self.result(request_id, mcp.page(tools, params.get("cursor"))))
        elif method == "tools/call":
            self.call(request_id, params)
        elif method == "subscriptions/listen" and IS_MODERN:
            self.listen({"method": "notifications/subscriptions/acknowledged", "params": {
                "_meta": {"io.modelcontextprotocol/subscriptionId": request_id}}})
        else:
            self.send_json(404 if IS_MODERN else 400, {"id": request_id, "error": {"code": -32601, "message": "no"}})

    def call(self, request_id, params):
        name, arguments = params["name"], params.get("arguments", {})
        result = mcp.simple_result(name, arguments)
        if name == "count":
            self.count(request_id, arguments, params.get("_meta", {}).get("progressToken"))
        elif name == "grow":
            tools.append({"name": f"new{len(tools)}", "inputSchema": {"type": "object"}})
            broadcast({"method": "notifications/tools/list_changed"})
            self.send_json(200, self.result(request_id, mcp.text("grown")))
        elif name == "silent" and not IS_MODERN:  # breaks off; the answer is there for who asks for the rest
            self.begin_stream()
            self.wfile.write(b"retry: 50\n")
            kept_events["e1"] = self.result(request_id, mcp.text("resumed"))
            self.send_event(None, "e1")
        elif result is not None:
            self.send_json(200, self.result(request_id, result))
        else:
            self.send_json(200, {"id": request_id, "error": {"code": -32602, "message": "no such tool"}})

    def count(self, request_id, arguments, token):
        steps = arguments.get("steps", 3)
        self.begin_stream()
        try:
            for step in range(1, steps + 1):
                time.sleep(arguments.get("pause", 0.05))
                if request_id in cancelled:
                    return
                self.send_event({"method": "notifications/progress", "params": {
                    "progressToken": token, "progress": step, "total": steps}})
            self.send_event(self.result(request_id, mcp.text(f"counted to {steps}")))
        except OSError:
            say(f"disconnected {request_id}")

    def listen(self, first):
        self.begin_stream()
        queue = [first] if first else []
        streams.append(queue)
        try:
            while True:
                while queue:
                    self.send_event(queue.pop(0))
                time.sleep(0.02)
                self.wfile.write(b":\n")
        except OSError:
            streams.remove(queue)

    def do_GET(self):
        if IS_MODERN or ERA == "stateless-legacy":
            return self.send_json(405, None)
        if self.headers.get("Last-Event-ID") in kept_events:
            self.begin_stream()
            return self.send_event(kept_events.pop(self.headers["Last-Event-ID"]), "e2")
        return self.listen(None)

    def do_DELETE(self):
        if self.headers.get("Mcp-Session-Id") == SESSION:
            say("session-ended")
        self.send_json(200, None)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
say(server.server_port)
server.serve_forever()
