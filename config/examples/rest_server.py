#!/usr/bin/env python3
"""A REST API to try rest_api.json and openapi.json with: python3 rest_server.py [PORT]. Posts live as long as the
server."""
import http.server
import json
import sys

POSTS = {1: {"id": 1, "title": "Hello", "body": "The first post."}}

# What frameworks such as FastAPI write by themselves.
POST = {"type": "object", "properties": {"title": {"type": "string"}, "body": {"type": "string"}}, "required": ["title", "body"]}
DESCRIPTION = {
    "openapi": "3.1.0", "info": {"title": "Posts", "version": "1"},
    "paths": {
        "/posts/{id}": {"get": {
            "operationId": "get", "summary": "Reads a post by its number",
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}],
            "responses": {"200": {"description": "the post"}}}},
        "/posts": {"post": {
            "operationId": "add", "summary": "Publishes a post",
            "requestBody": {"required": True, "content": {"application/json": {"schema": POST}}},
            "responses": {"201": {"description": "the post"}}}}}}


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/openapi.json":
            return self.answer(200, DESCRIPTION)
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


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8099), Handler)
print(f"http://127.0.0.1:{server.server_port}/posts/1", flush=True)
server.serve_forever()
