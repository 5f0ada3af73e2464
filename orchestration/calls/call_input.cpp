#include "orchestration/calls/call_input.h"

#include <algorithm>

namespace parley::orchestration::calls {
namespace {

constexpr std::size_t kKeepTaken = 4096;  // bytes; moving the rest down is cheap against what was taken

}  // namespace

void CallInput::append(std::string_view bytes) {
  if (begin_ >= kKeepTaken && begin_ >= bytes_.size() / 2) {
    bytes_.erase(0, begin_);
    begin_ = 0;
  }
  bytes_ += bytes;
}

void CallInput::take_space() {
  const std::string_view rest = text();
  std::size_t count = 0;
  while (count < rest.size() && is_space(rest[count])) ++count;
  take(count);
}

bool is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

std::size_t space_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && length <= kMaxSpace && is_space(text[length])) ++length;
  return length;
}

Found match_text(Ahead ahead, std::string_view marker) {
  if (ahead.text.starts_with(marker)) return {Match::yes, marker.size()};
  const bool may_follow = !ahead.ended && marker.starts_with(ahead.text);
  return {may_follow ? Match::partial : Match::no, 0};
}

Found match_marker(Ahead ahead, const Markers& markers) {
  Found best;
  bool longer_may_follow = false;
  for (const std::string& marker : markers) {
    const Found found = match_text(ahead, marker);
    longer_may_follow |= found.match == Match::partial;
    if (found.match == Match::yes && found.length > best.length) best = found;
  }
  if (longer_may_follow) return {Match::partial, 0};
  return best;
}

Found match_after_space(Ahead ahead, const Markers& markers) {
  const std::size_t space = space_length(ahead.text);
  if (space > kMaxSpace) return {};
  Found found = match_marker(ahead.from(space), markers);
  if (found.match == Match::yes) found.length += space;
  return found;
}

Match match_end(Ahead ahead) {
  const std::size_t space = space_length(ahead.text);
  if (space > kMaxSpace || space < ahead.text.size()) return Match::no;
  return ahead.ended ? Match::yes : Match::partial;
}

Found first_of(Found a, Found b) {
  if (a.match == Match::yes) return a;
  if (b.match == Match::yes && a.match == Match::no) return b;
  return {std::max(a.match, b.match) == Match::no ? Match::no : Match::partial, 0};
}

}  // namespace parley::orchestration::calls
