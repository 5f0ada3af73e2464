#pragma once
// Collects one answer from what libcurl hands over piece by piece, within bounds. One object per hop, used by
// one thread. False from a function ends the transfer; `stopped_because` says why.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "orchestration/fetch/fetch.h"

namespace parley::orchestration::fetch {

// Whether a redirect is only looked at (its body is of no use) or is an answer like any other.
enum class Redirects : bool { keep, follow };

bool is_redirect(int status);

class ResponseReader {
 public:
  enum class Stop : std::uint8_t { none, redirect, body_cut, by_consumer, bad_head };

  ResponseReader(const FetchRequest& request, Redirects redirects)
      : request_(request), redirects_(redirects) {}

  bool take_header_line(std::string_view line);  // the status line, a field, or the empty line at the end
  bool take_body(std::string_view chunk);

  Stop stopped_because() const { return stop_; }
  FetchResponse& response() { return response_; }

 private:
  bool take_status_line(std::string_view line);
  bool take_field(std::string_view line);
  bool end_head();
  bool stop(Stop why);
  bool refuse_head(std::string sentence);

  const FetchRequest& request_;
  Redirects redirects_;
  FetchResponse response_;
  Stop stop_ = Stop::none;
  std::size_t head_bytes_ = 0;
  std::size_t body_bytes_ = 0;
  bool head_done_ = false;
};

}  // namespace parley::orchestration::fetch
