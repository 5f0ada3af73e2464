#include "orchestration/tools/audit_page.h"

#include <algorithm>
#include <fstream>
#include <istream>
#include <system_error>
#include <utility>

#include "orchestration/tools/last_error.h"

namespace parley::orchestration::tools {
namespace {

constexpr std::size_t kBlock = 16 * 1024;
constexpr std::size_t kMaxHeld = 256 * 1024;  // of a line; no record is that long

// The lines of a file from its end, or from where another line begins.
class LinesFromEnd {
 public:
  LinesFromEnd(std::istream& stream, std::uint64_t end) : stream_(stream), position_(end) {}

  // Without its newline; nothing at the file's beginning, or where it cannot be read.
  std::optional<std::string> next() {
    if (buffer_.empty() && position_ == 0) return std::nullopt;
    while (true) {
      // The last byte is the newline of the line itself.
      const std::size_t border =
          buffer_.size() < 2 ? std::string::npos : buffer_.rfind('\n', buffer_.size() - 2);
      if (border != std::string::npos || position_ == 0)
        return cut(border == std::string::npos ? 0 : border + 1);
      if (!read_block()) return std::nullopt;
    }
  }

  // Where the last line that was given begins.
  std::uint64_t begin() const { return position_ + buffer_.size(); }

 private:
  std::string cut(std::size_t begin) {
    std::string line = buffer_.substr(begin);
    buffer_.resize(begin);
    if (line.ends_with('\n')) line.pop_back();
    return line;
  }

  bool read_block() {
    if (buffer_.size() > kMaxHeld) buffer_ = "\n";  // what is left of such a line is no record
    const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, position_));
    std::string block(size, '\0');
    stream_.seekg(static_cast<std::streamoff>(position_ - size));
    stream_.read(block.data(), static_cast<std::streamsize>(size));
    if (!stream_) return false;
    position_ -= size;
    buffer_.insert(0, block);
    return true;
  }

  std::istream& stream_;
  std::uint64_t position_;  // of the first byte in the buffer
  std::string buffer_;      // up to where the last line began
};

std::string unreadable_log(const std::filesystem::path& path) {
  return path.string() + " cannot be read (" + last_error_words() + "); check its permissions";
}

}  // namespace

AuditPage read_audit_page(const std::filesystem::path& path, std::optional<std::uint64_t> before,
                          std::size_t limit) {
  AuditPage page;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return page;  // no call yet
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = stream ? std::streamoff(stream.tellg()) : -1;
  if (size < 0) {
    page.problem = unreadable_log(path);
    return page;
  }
  const auto end = static_cast<std::uint64_t>(size);
  LinesFromEnd lines(stream, std::min(before.value_or(end), end));
  for (std::size_t i = 0; i < limit; ++i) {
    const auto line = lines.next();
    if (!line) break;
    if (auto record = read_audit_line(*line)) {
      page.entries.push_back({.at = lines.begin(), .record = std::move(*record)});
    } else {
      ++page.damaged_lines;
    }
  }
  if (!stream) page.problem = unreadable_log(path);
  if (lines.begin() > 0) page.before = lines.begin();
  return page;
}

}  // namespace parley::orchestration::tools
