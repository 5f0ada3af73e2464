#include "orchestration/tools/http_tool_json.h"

#include <charconv>
#include <cstdint>
#include <variant>

#include "inference/json/json.h"

namespace parley::orchestration::tools {
namespace {

constexpr std::size_t kMaxJsonDepth = 128;

std::uint32_t code_unit_at(std::string_view text, std::size_t at) {
  std::uint32_t unit = 0;
  if (at + 6 <= text.size() && text[at] == '\\' && text[at + 1] == 'u') {
    std::from_chars(text.data() + at + 2, text.data() + at + 6, unit, 16);
  }
  return unit;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto continuation = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    continuation(6);
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    continuation(12);
    continuation(6);
  }
  continuation(0);
}

// The text is known to be valid, so that nothing is checked again.
class Compactor {
 public:
  explicit Compactor(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        in_string_ = !in_string_;
      } else if (in_string_ && c == '\\') {
        take_escape();
        continue;
      } else if (!in_string_ && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) {
        ++at_;
        continue;
      }
      out_ += c;
      ++at_;
    }
    return std::move(out_);
  }

 private:
  void take_escape() {
    const std::uint32_t unit = code_unit_at(text_, at_);
    if (unit >= 0xD800 && unit < 0xDC00) {
      append_utf8(out_, 0x10000 + ((unit - 0xD800) << 10) + (code_unit_at(text_, at_ + 6) - 0xDC00));
      at_ += 12;
    } else if (unit >= 0x80) {
      append_utf8(out_, unit);
      at_ += 6;
    } else {
      if (text_[at_ + 1] != '/') out_ += '\\';
      out_ += text_[at_ + 1];
      at_ += 2;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool in_string_ = false;
  std::string out_;
};

}  // namespace

std::string compact_json(std::string_view text) {
  const auto parsed =
      inference::json::parse_json(text, {.max_bytes = text.size(), .max_depth = kMaxJsonDepth});
  if (std::holds_alternative<inference::json::JsonError>(parsed)) return std::string(text);
  return Compactor(text).run();
}

}  // namespace parley::orchestration::tools
