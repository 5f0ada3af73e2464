#!/usr/bin/env python3
"""A REST API to try rest_api.json with: python3 rest_server.py [PORT]. Posts live as long as the server."""
import http.server
import json
import sys

POSTS = {1: {"id": 1, "title": "Hello", "body": "The first post."}}


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        number = self.path.removeprefix("/posts/")
        post = POSTS.get(int(number)) if number.isdigit() else None
        self.answer(200 if post else 404, post or {"error": f"there is no post {number}"})

    def do_POST(self):
        try:
            sent = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
            post = {"id": len(POSTS) + 1, "title": str(sent["title"]), "body": str(sent["body"])}
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"error": "expected title and body"})
        POSTS[post["id"]] = post
        self.answer(201, post)

    def log_message(self, format, *args):
        pass


port = int(sys.argv[1]) if len(sys.argv) > 1 else 8099
print(f"http://127.0.0.1:{port}/posts/1", flush=True)
http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
