#pragma once
// Strict checks of a request head, before the library's parser sees it: Beast 1.81 takes lines that end in a
// bare LF, two framings at once, chunked bodies in HTTP/1.0 and several Hosts, on which servers and proxies
// have disagreed to the attacker's gain. Plain functions, any thread; a refusal is a value.

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>

#include "app/http/limits.h"
#include "app/http/request.h"
#include "app/http/response.h"

namespace parley::app::http {

// Finds the end of a head in bytes that arrive in pieces, and refuses what is too long or broken at once.
class HeadScanner {
 public:
  struct NeedMore {};
  // Length of the head with its empty line, a refusal, or more bytes are needed. `pending` is everything
  // since the head's begin.
  using Result = std::variant<NeedMore, std::size_t, Refusal>;

  explicit HeadScanner(const HttpLimits& limits) : limits_(limits) {}
  Result scan(std::string_view pending);

 private:
  HttpLimits limits_;
  std::size_t scanned_ = 0;
  std::size_t line_begin_ = 0;
  std::size_t num_lines_ = 0;
};

// Of a whole head: request line and each field's form.
std::optional<Refusal> check_head_text(std::string_view head);

// Of a parsed head: Host, how the body is framed, what is said twice, what we do not do.
std::optional<Refusal> check_fields(const RequestHead& head);

}  // namespace parley::app::http
