// The real page with a server that a test plays: its files under the server's policy, and a WebSocket whose commands
// and events are the test's. For states that a real server cannot be brought into at will.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { root } from "./harness.mjs";

const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

// As app/http/security_fields.cpp sends it.
const policy = (host) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; ` +
  `manifest-src 'self'; connect-src 'self' ws://${host}; worker-src 'self'; object-src 'none'; base-uri 'none'; ` +
  `frame-ancestors 'none'; form-action 'self'; require-trusted-types-for 'script'; ` +
  `trusted-types svelte-trusted-html dompurify parley`;

// A picture of one grey pixel.
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNs+M9QDwAEYAGAl8Jb3gAAAABJRU5ErkJggg==",
  "base64",
);

export class FakeServer {
  static async start() {
    const fake = new FakeServer();
    fake.picture = pixel;
    fake.http = createServer((request, response) =>
      fake.serve(request, response),
    );
    await new Promise((resolve) => fake.http.listen(0, "127.0.0.1", resolve));
    fake.url = `http://127.0.0.1:${fake.http.address().port}`;
    return fake;
  }

  serve(request, response) {
    const asked = new URL(request.url, this.url).pathname;
    if (/^\/calls\/[^/]+\/images\/0$/.test(asked)) {
      response
        .writeHead(200, { "Content-Type": "image/png" })
        .end(this.picture);
      return;
    }
    if (asked.startsWith("/calls/")) {
      response.writeHead(404).end();
      return;
    }
    const file = path.extname(asked) === "" ? "/index.html" : asked;
    const fields = {
      "Content-Type": types[path.extname(file)],
      "Content-Security-Policy": policy(request.headers.host),
    };
    response
      .writeHead(200, fields)
      .end(readFileSync(`${root}/web/dist${path.normalize(file)}`));
  }

  async remove() {
    await new Promise((resolve) => {
      this.http.close(resolve);
      this.http.closeAllConnections();
    });
  }
}

export const chat = "00000000-0000-4000-8000-000000000001";
const model = {
  name: 'Qwen2.5-Coder 1.5B', state: 'ready', progress: 1, error: null, architecture: 'qwen2',
  quantisation: 'Q4_K_M', file_bytes: 1.1e9, max_context: 32768,
}; // prettier-ignore
const hello = {
  type: 'hello', protocol: 1, server: 'parley', instance: 'run', time: Date.now(), model, defaults: { temperature: 0.7, max_tokens: null },
  limits: { frame_bytes: 6691168, message_bytes: 1048576, title_bytes: 400, system_prompt_bytes: 65536 },
}; // prettier-ignore

export const summary = (changes = {}) => ({
  conversation: chat, title: 'A chat with tools', created_at: 1, updated_at: Date.now(), deleted: false, answering: false,
  settings: { system_prompt: '', temperature: null, max_tokens: null, tools: null }, ...changes,
}); // prettier-ignore
export const message = (id, changes = {}) => ({
  message: id, parent: null, role: 'assistant', text: '', calls: [], status: 'complete', error: null, stop_reason: 'stop',
  model: model.name, epoch: 1, created_at: 1, usage: null, timings: null, left_out_turns: 0, ...changes,
}); // prettier-ignore
export const call = (id, changes = {}) => ({
  call: id, name: 'weather', source: 'command', state: 'done', arguments: '{"city":"Bremen"}', preview: null,
  result: '14 degrees, light rain', output_bytes: 22, images: [], decision: 'auto', elapsed_ms: 240, started_at: null, ...changes,
}); // prettier-ignore
export const tool = (name, changes = {}) => ({
  name, description: `What ${name} does.`, source: 'command', policy: 'ask', tokens: 80, chosen: true, ...changes,
}); // prettier-ignore

export const toolList = (items, changes = {}) => ({
  type: 'tools', items, counted: true, profile: 'native', approvals: [], servers: [], problems: [],
  file: '/home/me/.config/parley/tools.json', off: null, ...changes,
}); // prettier-ignore

// What the page says and is told. `answers` gives fields of the answer by a command's type; else it is acknowledged.
export class Talk {
  sent = [];
  seq = 1;
  answers = {};

  // Before the page is opened.
  async listen(page) {
    await page.routeWebSocket(/\/ws$/, (socket) => {
      this.socket = socket;
      socket.onMessage((text) => this.take(JSON.parse(text)));
      this.tell(hello);
    });
  }

  take(command) {
    this.sent.push(command);
    const given = this.answers[command.type]?.(command) ?? { type: "ack" };
    this.tell({ ...given, re: command.id });
    if (command.type === "open") this.opened?.();
  }

  tell(frame) {
    this.socket.send(JSON.stringify(frame));
  }

  // An event of the conversation with the next number.
  event(type, fields) {
    this.tell({ type, conversation: chat, seq: ++this.seq, ...fields });
  }

  commands(type) {
    return this.sent.filter((command) => command.type === type);
  }

  // A chat that holds these messages, each below the one before it.
  shows(messages, changes = {}) {
    const held = messages.map((m, i) => ({
      ...m,
      parent: messages[i - 1]?.message ?? null,
    }));
    this.answers.list = () => ({
      type: "conversations",
      items: [summary(changes)],
      more: false,
    });
    this.opened = () =>
      this.tell({
        type: "snapshot",
        conversation: chat,
        seq: this.seq,
        summary: summary(changes),
        messages: held,
        more: false,
      });
  }
}
