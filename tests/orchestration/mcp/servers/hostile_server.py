#!/usr/bin/env python3
"""Servers that misbehave, for tests: hostile_server.py KIND. Each shakes hands as a legacy server would, and lists one
tool, `act`; what is wrong with it begins when that is called, or before.
"""
import json
import os
import signal
import sys
import time

KIND = sys.argv[1]
LONG = "x" * 60000  # counts for many messages, so that a slow client sees a flood too


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def result(words):
    return {"content": [{"type": "text", "text": words}]}


def act(request_id):
    if KIND == "floods":
        line = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": LONG}}) + "\n"
        while True:
            sys.stdout.write(line)
    if KIND == "floods-errors":
        while True:
            sys.stderr.write(LONG + "\n")
    if KIND == "huge-line":
        sys.stdout.write("x" * (11 << 20))
        sys.stdout.flush()
        time.sleep(60)
    if KIND == "huge-answer":  # below the limit of a line
        send({"id": request_id, "result": result("y" * (9 << 20))})
    if KIND == "wrong-ids":
        for wrong in (request_id + 1, -request_id, str(request_id), None, [request_id], request_id + 0.5, 1 << 70):
            send({"id": wrong, "result": result("wrong")})
        send({"id": request_id, "result": result("right")})
        send({"id": request_id, "result": result("twice")})
    if KIND == "garbage":
        sys.stdout.buffer.write(b"\xff\xfe\x00\n{\n[[[[\n\"\nnull\n{\"id\":{}}\n" + b"[" * 5000 + b"\n")
        sys.stdout.flush()
        send({"id": request_id, "result": result("fine\u001b[31m\u0000\u202e")})
    if KIND == "too-deep":
        sys.stdout.write(f'{{"id":{request_id},"result":{{"a":{"[" * 10000}{"]" * 10000}}}}}\n')
        sys.stdout.flush()
    if KIND == "closes-output":
        os.close(1)
        time.sleep(60)
    if KIND == "asks-for-ever":
        line = json.dumps({"id": "q", "method": "sampling/createMessage", "params": {"prompt": LONG}}) + "\n"
        while True:
            sys.stdout.write(line)
    if KIND == "progress-for-ever":
        while True:
            send({"method": "notifications/progress", "params": {"progressToken": request_id, "progress": 1}})
            time.sleep(0.01)
    if KIND == "forks":
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(60)
        os._exit(0)


if KIND == "ignores-term":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    received = json.loads(line)
    method, request_id = received.get("method"), received.get("id")
    if method == "initialize":
        send({"id": request_id, "result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                                           "serverInfo": {"name": KIND, "version": "1"}}})
    elif method == "tools/list":
        send({"id": request_id, "result": {"tools": [{"name": "act", "inputSchema": {"type": "object"}}]}})
    elif method == "tools/call":
        act(request_id)
    elif request_id is not None and method:
        send({"id": request_id, "error": {"code": -32601, "message": "Method not found"}})
while KIND == "ignores-term":
    time.sleep(1)
