#pragma once
// What a tools/call gave. Plain values; reading one is a plain function, any thread, and what is wrong with a
// server's answer is an outcome too.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/mcp/reply.h"

namespace parley::orchestration::mcp {

struct ContentBlock {
  enum class Kind : std::uint8_t { text, image, audio, resource_link, resource };
  Kind kind = Kind::text;
  std::string text;        // plain text: of a text, or of an embedded text resource
  std::string media_type;  // one plain line, may be empty
  std::string bytes;       // decoded: of an image, an audio clip, an embedded binary resource
  std::string uri;         // of resources, one plain line
  std::string name;        // of a resource link, one plain line
};

struct CallOutcome {
  enum class Status : std::uint8_t {
    ok,
    tool_error,  // the tool says that it failed: `content` has its words
    failed,      // there is no result: `problem` says why
    timed_out,
    cancelled,
  };
  Status status = Status::failed;
  std::string problem;  // a clause in plain text, unless ok or tool_error
  std::vector<ContentBlock> content;
  std::optional<inference::json::JsonValue> structured;
};

inline constexpr std::size_t kMaxContentBlocks = 1000;

CallOutcome read_call_result(const inference::json::JsonObject& result);
CallOutcome to_outcome(const RequestFailure& failure);

}  // namespace parley::orchestration::mcp
