#pragma once
// Something a model can call. `spec` and `preview` are quick and may be called from any thread; `run` blocks
// and is called on worker threads, several calls at once. What can go wrong in a call is a result that the
// model can act on (unknown host, exit status 3, timed out), never an exception.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/calls/call_parts.h"

namespace parley::orchestration::tools {

struct ToolSpec {
  std::string name;                        // what the model sees: 1 to 64 of A-Z a-z 0-9 _ -
  std::string description;                 // may be empty
  inference::json::JsonObject parameters;  // JSON Schema of the arguments, an object
  std::string source;                      // where it comes from, for people: "command", "mcp:files", …
  std::string definition_hash;  // hex SHA-256 of all that decides what a call does; approvals hang on it
  bool strict = true;           // the schema is enforced while the arguments are generated
  int max_parallel = 4;         // calls of this tool at once
  std::optional<std::chrono::milliseconds> timeout = {};  // of a call; none: the file's callTimeout
  bool progress_extends = false;                          // its time-out starts anew with each progress
};

using calls::CallPreview;
using ToolImage = calls::CallImage;

struct ToolProgress {
  std::string message;             // may be empty
  std::optional<double> fraction;  // 0 to 1, where it is known
};

struct CallContext {
  std::chrono::steady_clock::time_point deadline;  // whatever the progress
  std::stop_token stop;                            // the user's Stop: ends the call and all it started
  std::function<void(const ToolProgress&)> progress = {};  // may be empty; called on the thread of `run`
  std::string chat = {};                                   // the conversation that asks; empty: none
  // Whether the model is given all of such a text; of a longer one, head and tail. Empty: nobody shortens.
  std::function<bool(std::string_view)> fits = {};
  std::chrono::milliseconds timeout{60000};  // of silence, where progress extends a call
};

struct ToolResult {
  enum class Status : std::uint8_t {
    ok,
    error,  // the tool failed, or could not be started
    timed_out,
    cancelled,
  };
  Status status = Status::ok;
  std::string
      text;  // UTF-8 without control characters (but newline and tab); on failure a short, precise sentence
  std::optional<inference::json::JsonValue> structured;  // where the tool gives structured content
  std::vector<ToolImage> images;
  std::size_t cut_bytes = 0;  // of the tool's output, beyond its limit and not in `text`
};

class Tool {
 public:
  virtual ~Tool() = default;
  virtual const ToolSpec& spec() const = 0;
  virtual CallPreview preview(const inference::json::JsonObject& arguments) const = 0;
  // `arguments` satisfy the schema, as far as it could be checked.
  virtual ToolResult run(const inference::json::JsonObject& arguments, const CallContext& context) = 0;
};

}  // namespace parley::orchestration::tools
