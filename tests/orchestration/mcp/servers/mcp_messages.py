"""What the test servers have in common: tools, and the answers of both eras. No dependencies but Python."""
import base64

MODERN = "2026-07-28"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def schema(**properties):
    return {"type": "object", "properties": properties}


def tools():
    return [
        {"name": "echo", "description": "Says it back", "inputSchema": schema(message={"type": "string"}),
         "annotations": {"readOnlyHint": True}},
        {"name": "count", "description": "Reports progress",
         "inputSchema": schema(steps={"type": "integer"}, pause={"type": "number"})},
        {"name": "picture", "description": "A pixel", "inputSchema": schema()},
        {"name": "weather", "description": "Structured", "inputSchema": schema(
            city={"type": "string", "x-mcp-header": "City"}, days={"type": "integer", "x-mcp-header": "Days"})},
        {"name": "fail", "description": "Says that it failed", "inputSchema": schema()},
        {"name": "silent", "description": "Never answers", "inputSchema": schema()},
        {"name": "ask", "description": "Wants more input", "inputSchema": schema()},
        {"name": "grow", "description": "Adds a tool to the list", "inputSchema": schema()},
        {"name": "die", "description": "Ends the server", "inputSchema": schema()},
    ]


def simple_result(name, arguments):
    """The result of a tool that needs nothing but its arguments; None for the others."""
    if name == "echo":
        return text("Echo: " + arguments.get("message", ""))
    if name == "picture":
        return {"content": [{"type": "image", "mimeType": "image/png", "data": base64.b64encode(PIXEL).decode()},
                            {"type": "audio", "mimeType": "audio/wav", "data": "UklGRg=="},
                            {"type": "resource_link", "uri": "file:///a.txt", "name": "a.txt"},
                            {"type": "resource", "resource": {"uri": "file:///b.txt", "text": "inside b"}}]}
    if name == "weather":
        return {**text('{"celsius": 21.5}'), "structuredContent": {"celsius": 21.5, "city": arguments.get("city")}}
    if name == "fail":
        return {**text("the disk is full"), "isError": True}
    return None


def page(all_tools, cursor):
    """Two tools a page."""
    begin = int(cursor or 0)
    result = {"tools": all_tools[begin : begin + 2]}
    if begin + 2 < len(all_tools):
        result["nextCursor"] = str(begin + 2)
    return result


def modern_problem(params):
    """The error of a request that is not a modern one, or None."""
    meta = (params or {}).get("_meta", {})
    version = meta.get("io.modelcontextprotocol/protocolVersion")
    if "io.modelcontextprotocol/clientCapabilities" not in meta or version is None:
        return {"code": -32602, "message": "_meta is missing"}
    if version != MODERN:
        return {"code": -32022, "message": "Unsupported protocol version", "data": {"supported": [MODERN]}}
    return None


def decoded_header(value):
    """A header's value without the encoding that odd characters need."""
    if value is not None and value.startswith("=?base64?") and value.endswith("?="):
        return base64.b64decode(value[9:-2]).decode()
    return value
