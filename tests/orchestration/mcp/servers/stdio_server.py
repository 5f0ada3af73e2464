#!/usr/bin/env python3
"""An MCP server over standard streams, for tests: stdio_server.py modern|legacy|silent-legacy|dies-when-probed

Legacy servers answer unknown requests before the handshake in their own ways: with an error, not at all, or by ending.
"""
import json
import os
import sys
import threading
import time

import mcp_messages as mcp

ERA = sys.argv[1]
IS_MODERN = ERA == "modern"
lock = threading.Lock()
tools = mcp.tools()
cancelled = set()
listeners = []


def send(message):
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def answer(request_id, result):
    send({"id": request_id, "result": {"resultType": "complete", **result} if IS_MODERN else result})


def count(request_id, arguments, meta):
    steps = arguments.get("steps", 3)
    for step in range(1, steps + 1):
        time.sleep(arguments.get("pause", 0.05))
        if request_id in cancelled:
            print("cancelled", request_id, file=sys.stderr, flush=True)
            return
        if "progressToken" in meta:
            send({"method": "notifications/progress", "params": {
                "progressToken": meta["progressToken"], "progress": step, "total": steps, "message": f"step {step}"}})
    answer(request_id, mcp.text(f"counted to {steps}"))


def tell_change():
    if not IS_MODERN:
        send({"method": "notifications/tools/list_changed"})
    for listener in listeners:
        send({"method": "notifications/tools/list_changed",
              "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": listener}}})


def call(request_id, params):
    name, arguments = params["name"], params.get("arguments", {})
    result = mcp.simple_result(name, arguments)
    if result is not None:
        answer(request_id, result)
    elif name == "count":
        threading.Thread(target=count, args=(request_id, arguments, params.get("_meta", {})), daemon=True).start()
    elif name == "grow":
        tools.append({"name": f"new{len(tools)}", "inputSchema": {"type": "object"}})
        tell_change()
        answer(request_id, mcp.text("grown"))
    elif name == "die":
        print("dying now", file=sys.stderr, flush=True)
        os._exit(3)
    elif name == "ask" and IS_MODERN:
        send({"id": request_id, "result": {"resultType": "input_required", "requestState": "x", "inputRequests": {
            "who": {"method": "elicitation/create", "params": {}}}}})
    elif name == "ask":
        send({"id": "s1", "method": "elicitation/create", "params": {"message": "who?"}})
        asked["s1"] = request_id
    elif name != "silent":
        send({"id": request_id, "error": {"code": -32602, "message": "no such tool"}})


asked = {}


def on_answer(message):
    """Of the client, to a request of ours: its tool call tells what came."""
    if message["id"] in asked:
        words = json.dumps(message.get("error") or message.get("result"))
        answer(asked.pop(message["id"]), mcp.text("the client said " + words))


def on_request(message):
    method, request_id, params = message["method"], message["id"], message.get("params", {})
    problem = mcp.modern_problem(params) if IS_MODERN and method != "initialize" else None
    if problem:
        send({"id": request_id, "error": problem})
    elif method == "server/discover" and IS_MODERN:
        answer(request_id, {"supportedVersions": [mcp.MODERN], "capabilities": {"tools": {"listChanged": True}},
                            "serverInfo": {"name": "modern-test", "version": "1"}, "instructions": "Be kind."})
    elif method == "initialize" and not IS_MODERN:
        answer(request_id, {"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": True}},
                            "serverInfo": {"name": "legacy-test", "version": "1"}})
    elif method == "tools/list":
        answer(request_id, mcp.page(tools, params.get("cursor")))
    elif method == "tools/call":
        call(request_id, params)
    elif method == "subscriptions/listen" and IS_MODERN:
        listeners.append(request_id)
        send({"method": "notifications/subscriptions/acknowledged", "params": {
            "_meta": {"io.modelcontextprotocol/subscriptionId": request_id}, "notifications": {"toolsListChanged": True}}})
    elif ERA == "dies-when-probed":
        sys.exit(1)
    elif ERA != "silent-legacy":
        send({"id": request_id, "error": {"code": -32601, "message": "Method not found"}})


print("started", file=sys.stderr, flush=True)
for line in sys.stdin:
    received = json.loads(line)
    if "method" not in received:
        on_answer(received)
    elif "id" in received:
        on_request(received)
    elif received["method"] == "notifications/initialized":
        send({"id": "p1", "method": "ping"})
        send({"method": "notifications/message", "params": {"level": "info", "data": "initialized"}})
    elif received["method"] == "notifications/cancelled":
        cancelled.add(received["params"]["requestId"])
