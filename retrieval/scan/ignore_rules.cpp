#include "retrieval/scan/ignore_rules.h"

#include <algorithm>
#include <utility>

namespace parley::retrieval::scan {
namespace {

// Spaces at the end do not count unless the last one is escaped; the backslash stays for the glob to read.
std::string_view without_trailing_spaces(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\\') {
      ++at;
      end = std::min(at + 1, line.size());
    } else if (line[at] != ' ') {
      end = at + 1;
    }
  }
  return line.substr(0, end);
}

std::string_view last_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

}  // namespace

IgnoreFile::IgnoreFile(std::string_view text, std::string folder) : folder_(std::move(folder)) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('\0'));
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    if (!line.starts_with('#')) {
      add_line(without_trailing_spaces(line));
    }
  }
}

void IgnoreFile::add_line(std::string_view line) {
  const bool negated = line.starts_with('!');
  line.remove_prefix(negated ? 1 : 0);
  const bool folders_only = line.ends_with('/');
  line.remove_suffix(folders_only ? 1 : 0);
  const bool anchored = line.find('/') != std::string_view::npos;
  line.remove_prefix(line.starts_with('/') ? 1 : 0);
  if (!line.empty()) {
    patterns_.push_back(
        {.glob = Glob(line), .negated = negated, .folders_only = folders_only, .anchored = anchored});
  }
}

const IgnoreFile::Pattern* IgnoreFile::deciding(std::string_view path, PathKind kind) const {
  if (!folder_.empty()) {
    if (!path.starts_with(folder_) || path.size() <= folder_.size() || path[folder_.size()] != '/') {
      return nullptr;
    }
    path.remove_prefix(folder_.size() + 1);
  }
  const std::string_view name = last_name(path);
  const auto fits = [&](const Pattern& pattern) {
    return (!pattern.folders_only || kind == PathKind::folder) &&
           pattern.glob.matches(pattern.anchored ? path : name);
  };
  const auto found = std::find_if(patterns_.rbegin(), patterns_.rend(), fits);
  return found == patterns_.rend() ? nullptr : &*found;
}

IgnoreFile::Verdict IgnoreFile::judge(std::string_view path, PathKind kind) const {
  const Pattern* const pattern = deciding(path, kind);
  if (pattern == nullptr) {
    return Verdict::none;
  }
  return pattern->negated ? Verdict::keep : Verdict::ignore;
}

bool IgnoreFile::keeps_by_name(std::string_view path, PathKind kind) const {
  const Pattern* const pattern = deciding(path, kind);
  return pattern != nullptr && pattern->negated && pattern->glob.has_literal();
}

bool matches_glob(std::string_view glob, std::string_view path) { return Glob(glob).matches(path); }

}  // namespace parley::retrieval::scan
