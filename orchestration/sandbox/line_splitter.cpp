#include "orchestration/sandbox/line_splitter.h"

#include <utility>

namespace parley::orchestration::sandbox {

namespace {

std::string_view without_carriage_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

bool LineSplitter::keep(std::string_view part, const std::function<void(std::string_view)>& on_line) {
  if (is_told_) return true;
  const std::size_t room = max_line_ - unfinished_.size();
  if (part.size() <= room) {
    unfinished_.append(part);
    return true;
  }
  refused_ = long_line_ == LongLine::refuse;
  is_told_ = !refused_;
  if (is_told_) on_line(unfinished_.append(part.substr(0, room)));
  unfinished_.clear();
  return !refused_;
}

bool LineSplitter::append(std::string_view bytes, const std::function<void(std::string_view)>& on_line) {
  while (!bytes.empty() && !refused_) {
    const std::size_t newline = bytes.find('\n');
    if (!keep(bytes.substr(0, newline), on_line)) return false;
    if (newline == std::string_view::npos) return true;
    if (!std::exchange(is_told_, false)) on_line(without_carriage_return(unfinished_));
    unfinished_.clear();
    bytes.remove_prefix(newline + 1);
  }
  return !refused_;
}

void LineSplitter::finish(const std::function<void(std::string_view)>& on_line) {
  if (!unfinished_.empty()) on_line(without_carriage_return(unfinished_));
  unfinished_.clear();
}

}  // namespace parley::orchestration::sandbox
