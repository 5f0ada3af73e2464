#pragma once
// What became of a request: a result, or why there is none. Plain values.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include "inference/json/json.h"

namespace parley::orchestration::mcp {

struct RequestFailure {
  enum class Kind : std::uint8_t {
    refused,  // the server answered with an error: `code`, `data`
    timed_out,
    cancelled,
    undelivered,  // or the answer cannot be read; over HTTP `status` may say more
    closed,       // the connection is over
  };
  Kind kind = Kind::closed;
  std::string message;  // a clause in plain text
  std::int64_t code = 0;
  inference::json::JsonValue data;
  int status = 0;
};

using Reply = std::variant<inference::json::JsonObject, RequestFailure>;

struct Progress {
  std::optional<double> progress;
  std::optional<double> total;
  std::string message;  // plain text
};

struct Wait {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::chrono::milliseconds quiet{0};  // not 0: the time-out, which starts anew with each progress
  std::stop_token stop;
  std::function<void(const Progress&)> on_progress;  // on the waiting thread; may be empty
};

}  // namespace parley::orchestration::mcp
