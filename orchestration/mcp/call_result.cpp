#include "orchestration/mcp/call_result.h"

#include <utility>

#include "orchestration/mcp/base64.h"
#include "orchestration/mcp/fields.h"
#include "orchestration/mcp/plain_text.h"
#include "orchestration/mcp/protocol.h"

namespace parley::orchestration::mcp {
namespace {

using Status = CallOutcome::Status;

constexpr std::size_t kMaxLine = 2000;

CallOutcome failed_call(std::string problem) {
  return {.status = Status::failed, .problem = std::move(problem), .content = {}, .structured = {}};
}

std::string line_field(const JsonObject& object, std::string_view key) {
  return plain_line(text_field(object, key), kMaxLine);
}

ContentBlock bad_block(std::string_view what) {
  ContentBlock block;
  block.text = "[" + std::string(what) + "]";
  return block;
}

ContentBlock read_media(const JsonObject& object, ContentBlock::Kind kind) {
  auto bytes = from_base64(text_field(object, "data"));
  if (!bytes || bytes->empty()) return bad_block("a picture or sound that cannot be decoded");
  ContentBlock block;
  block.kind = kind;
  block.media_type = line_field(object, "mimeType");
  block.bytes = std::move(*bytes);
  return block;
}

ContentBlock read_link(const JsonObject& object) {
  ContentBlock block;
  block.kind = ContentBlock::Kind::resource_link;
  block.uri = line_field(object, "uri");
  block.name = line_field(object, "name");
  block.media_type = line_field(object, "mimeType");
  block.text = line_field(object, "description");
  return block;
}

ContentBlock read_resource(const JsonObject& object) {
  const JsonObject* resource = object_field(object, "resource");
  if (resource == nullptr) return bad_block("an embedded resource that is missing");
  ContentBlock block;
  block.kind = ContentBlock::Kind::resource;
  block.uri = line_field(*resource, "uri");
  block.media_type = line_field(*resource, "mimeType");
  block.text = plain_text(text_field(*resource, "text"));
  if (!resource->contains("blob")) return block;
  auto bytes = from_base64(text_field(*resource, "blob"));
  if (!bytes) return bad_block("an embedded resource that cannot be decoded");
  block.bytes = std::move(*bytes);
  return block;
}

ContentBlock read_block(const JsonValue& value) {
  const JsonObject* object = value.if_object();
  if (object == nullptr) return bad_block("content that is not an object");
  const std::string type = text_field(*object, "type");
  if (type == "text") {
    ContentBlock block;
    block.text = plain_text(text_field(*object, "text"));
    return block;
  }
  if (type == "image") return read_media(*object, ContentBlock::Kind::image);
  if (type == "audio") return read_media(*object, ContentBlock::Kind::audio);
  if (type == "resource_link") return read_link(*object);
  if (type == "resource") return read_resource(*object);
  return bad_block("content of an unknown type: " + plain_line(type, 50));
}

// What the server wants to be told first: "elicitation/create".
std::string wanted_input(const JsonObject& result) {
  const JsonObject* requests = object_field(result, "inputRequests");
  if (requests == nullptr || requests->empty()) return "more input";
  const JsonObject* first = requests->begin()->value().if_object();
  return first == nullptr ? "more input" : plain_line(text_field(*first, "method"), 100);
}

}  // namespace

CallOutcome read_call_result(const JsonObject& result) {
  const std::string type = text_field(result, "resultType");
  if (type == "input_required") {
    return failed_call("it asks for " + wanted_input(result) +
                       " to finish this call, and Parley cannot give that to a tool");
  }
  if (!type.empty() && type != "complete") {
    return failed_call("its result is of a kind that Parley does not know (" + plain_line(type, 50) + ")");
  }
  CallOutcome outcome;
  outcome.status = is_true(result, "isError") ? Status::tool_error : Status::ok;
  if (const JsonValue* structured = result.if_contains("structuredContent")) outcome.structured = *structured;
  const JsonArray* content = array_field(result, "content");
  if (content == nullptr && !outcome.structured) return failed_call("its result has no content");
  if (content == nullptr) return outcome;
  for (const JsonValue& value : *content) {
    if (outcome.content.size() == kMaxContentBlocks) {
      outcome.content.push_back(bad_block("more content was left out"));
      break;
    }
    outcome.content.push_back(read_block(value));
  }
  return outcome;
}

CallOutcome to_outcome(const RequestFailure& failure) {
  using Kind = RequestFailure::Kind;
  CallOutcome outcome = failed_call(failure.message);
  if (failure.kind == Kind::timed_out) outcome.status = Status::timed_out;
  if (failure.kind == Kind::cancelled) outcome.status = Status::cancelled;
  if (failure.kind == Kind::closed) outcome.problem = "it ended before it answered (" + failure.message + ")";
  if (failure.kind == Kind::refused && failure.code == kMissingCapability) {
    outcome.problem = "it needs something of its client that Parley does not offer (" + failure.message + ")";
  }
  return outcome;
}

}  // namespace parley::orchestration::mcp
