#include "orchestration/fetch/response_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "orchestration/fetch/request_rules.h"

namespace parley::orchestration::fetch {
namespace {

constexpr std::size_t kMaxHeadBytes = 65536;  // of all heads of a hop together, interim ones and trailers too
constexpr int kFirstFinalStatus = 200;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

int status_of(std::string_view status_line) {
  const std::size_t space = status_line.find(' ');
  if (space == std::string_view::npos) return 0;
  const std::string_view digits = status_line.substr(space + 1, 3);
  int status = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), status);
  return status;
}

}  // namespace

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool ResponseReader::take_header_line(std::string_view line) {
  head_bytes_ += line.size();
  if (head_bytes_ > kMaxHeadBytes) {
    return refuse_head("The answer's headers are larger than " + std::to_string(kMaxHeadBytes) + " bytes.");
  }
  if (head_done_) return true;  // a trailer
  if (line.starts_with("HTTP/")) return take_status_line(line);
  return trimmed(line).empty() ? end_head() : take_field(line);
}

bool ResponseReader::take_status_line(std::string_view line) {
  response_.status = status_of(line);
  response_.headers.clear();
  return true;
}

bool ResponseReader::take_field(std::string_view line) {
  if (line.front() == ' ' || line.front() == '\t') {  // a folded line goes on
    if (!response_.headers.empty()) response_.headers.back().second += " " + std::string(trimmed(line));
    return true;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return true;
  response_.headers.emplace_back(lower_case(trimmed(line.substr(0, colon))),
                                 std::string(trimmed(line.substr(colon + 1))));
  return true;
}

bool ResponseReader::end_head() {
  if (response_.status < kFirstFinalStatus) return true;  // an interim answer; the final one follows
  head_done_ = true;
  // Codings upon codings can keep the decoder busy for ever without giving out a byte that could be counted.
  const auto encodings =
      std::count_if(response_.headers.begin(), response_.headers.end(),
                    [](const Header& header) { return header.first == "content-encoding"; });
  if (encodings > 1 ||
      header_value(response_.headers, "content-encoding").find(',') != std::string_view::npos) {
    return refuse_head("The answer is compressed more than once.");
  }
  if (redirects_ == Redirects::follow && is_redirect(response_.status) &&
      !header_value(response_.headers, "location").empty()) {
    return stop(Stop::redirect);
  }
  if (request_.on_head) request_.on_head(response_.status, response_.headers);
  return true;
}

bool ResponseReader::take_body(std::string_view chunk) {
  const std::string_view kept = chunk.substr(0, request_.max_body - body_bytes_);
  body_bytes_ += kept.size();
  if (!request_.on_body) {
    response_.body += kept;
  } else if (!kept.empty() && !request_.on_body(kept)) {
    return stop(Stop::by_consumer);
  }
  if (kept.size() == chunk.size()) return true;
  response_.cut = true;
  return stop(Stop::body_cut);
}

bool ResponseReader::stop(Stop why) {
  stop_ = why;
  return false;
}

bool ResponseReader::refuse_head(std::string sentence) {
  response_.error = std::move(sentence);
  return stop(Stop::bad_head);
}

}  // namespace parley::orchestration::fetch
