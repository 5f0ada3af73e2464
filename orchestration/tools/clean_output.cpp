#include "orchestration/tools/clean_output.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "orchestration/mcp/plain_text.h"

namespace parley::orchestration::tools {
namespace {

using mcp::head_of;
using mcp::tail_of;

constexpr std::size_t kMostCut = std::size_t{1} << 40;  // that a line is believed to stand for

std::string replaced(const std::string& text, const std::string& secret) {
  constexpr std::string_view kRedacted = "[redacted]";
  std::string out;
  std::size_t begin = 0;
  for (std::size_t found = text.find(secret); found != std::string::npos; found = text.find(secret, begin)) {
    out.append(text, begin, found - begin);
    out += kRedacted;
    begin = found + secret.size();
  }
  out.append(text, begin);
  return out;
}

constexpr std::string_view kMarkBegin = "\n\xE2\x80\xA6 ";
constexpr std::string_view kMarkEnd = " bytes cut \xE2\x80\xA6\n";

// Bytes of a part of a text, and those that an earlier cut took out of it: its line stands for them.
std::size_t bytes_meant(std::string_view part) {
  const std::size_t end = part.find(kMarkEnd);
  if (end == std::string_view::npos) return part.size();
  const std::size_t begin = part.rfind(kMarkBegin, end);
  if (begin == std::string_view::npos || begin + kMarkBegin.size() > end) return part.size();
  std::size_t bytes = 0;
  const auto read = std::from_chars(part.data() + begin + kMarkBegin.size(), part.data() + end, bytes);
  const bool is_number = read.ec == std::errc() && read.ptr == part.data() + end && bytes < kMostCut;
  return is_number ? part.size() - (end + kMarkEnd.size() - begin) + bytes : part.size();
}

std::string joined(std::string_view head, std::string_view tail, std::size_t cut_bytes) {
  std::string text(head);
  text.append(kMarkBegin).append(std::to_string(cut_bytes)).append(kMarkEnd);
  return text.append(tail);
}

}  // namespace

std::string without_controls(std::string_view bytes) { return mcp::plain_text(bytes); }

std::string redacted(std::string text, const std::vector<std::string>& secrets) {
  std::vector<std::string> longest_first = secrets;
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  for (const std::string& secret : longest_first) {
    if (!secret.empty() && text.find(secret) != std::string::npos) text = replaced(text, secret);
  }
  return text;
}

CutText head_and_tail(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return {.text = std::move(text), .cut_bytes = 0};
  const std::string_view head = head_of(text, max_bytes - max_bytes / 2);
  const std::string_view tail = tail_of(text, max_bytes / 2);
  const std::size_t between = text.size() - head.size() - tail.size();
  const std::size_t cut_bytes = bytes_meant(std::string_view(text).substr(head.size(), between));
  return {.text = joined(head, tail, cut_bytes), .cut_bytes = cut_bytes};
}

std::size_t cut_margin(const std::vector<std::string>& secrets) {
  constexpr std::size_t kReplacedCharacter = 3;  // a character that the cut went through becomes U+FFFD
  std::size_t longest = 0;
  for (const std::string& secret : secrets) longest = std::max(longest, secret.size());
  return longest == 0 ? 0 : longest + kReplacedCharacter;
}

std::string_view without_end(std::string_view text, std::size_t bytes) {
  return head_of(text, text.size() - std::min(bytes, text.size()));
}

CutText clean_cut_output(std::string_view head, std::string_view tail, std::size_t cut_bytes,
                         std::size_t max_bytes, const std::vector<std::string>& secrets) {
  const std::size_t margin = cut_margin(secrets);
  const std::string clean_head = redacted(without_controls(head), secrets);
  const std::string clean_tail = redacted(without_controls(tail), secrets);
  const std::string_view sure_head = without_end(clean_head, margin);
  const std::size_t sure_tail = clean_tail.size() - std::min(margin, clean_tail.size());
  const std::string_view kept_head = head_of(sure_head, max_bytes - max_bytes / 2);
  const std::string_view kept_tail = tail_of(clean_tail, std::min(sure_tail, max_bytes / 2));
  cut_bytes += clean_head.size() - kept_head.size() + clean_tail.size() - kept_tail.size();
  return {.text = joined(kept_head, kept_tail, cut_bytes), .cut_bytes = cut_bytes};
}

CutText clean_output(std::string_view bytes, std::size_t max_bytes, const std::vector<std::string>& secrets) {
  return head_and_tail(redacted(without_controls(bytes), secrets), max_bytes);
}

}  // namespace parley::orchestration::tools
