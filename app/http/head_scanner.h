#pragma once
// Finds the end of a request's head in bytes that arrive in pieces, and refuses what is too long or broken at
// once. One object per head, used by one thread; a refusal is a value.

#include <cstddef>
#include <string_view>
#include <variant>

#include "app/http/limits.h"
#include "app/http/response.h"

namespace parley::app::http {

class HeadScanner {
 public:
  struct NeedMore {};
  // Length of the head with its empty line, a refusal, or more bytes are needed.
  using Result = std::variant<NeedMore, std::size_t, Refusal>;

  explicit HeadScanner(const HttpLimits& limits) : limits_(limits) {}
  // `pending` is everything since the head's begin.
  Result scan(std::string_view pending);

 private:
  HttpLimits limits_;
  std::size_t scanned_ = 0;
  std::size_t line_begin_ = 0;
  std::size_t num_lines_ = 0;
};

}  // namespace parley::app::http
