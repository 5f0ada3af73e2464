#include "orchestration/jinja/string_literal.h"

#include <charconv>

#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/lexer_error.h"

namespace parley::orchestration::jinja {
namespace {

class Unescaper {
 public:
  Unescaper(std::string_view source, std::size_t begin, std::size_t end)
      : source_(source), at_(begin), end_(end) {}

  std::string run() {
    while (at_ < end_) {
      if (source_[at_] != '\\') {
        out_.push_back(source_[at_++]);
      } else {
        read_escape();
      }
    }
    return std::move(out_);
  }

 private:
  void read_escape() {
    constexpr std::string_view kLetters = "\\'\"abfnrtv";
    constexpr std::string_view kValues = "\\'\"\a\b\f\n\r\t\v";
    const char letter = source_[at_ + 1];  // a backslash is never the literal's last byte
    if (letter == '\n') {
      at_ += 2;
    } else if (const std::size_t known = kLetters.find(letter); known != std::string_view::npos) {
      out_.push_back(kValues[known]);
      at_ += 2;
    } else if (letter >= '0' && letter <= '7') {
      read_octal();
    } else if (letter == 'x') {
      read_hexadecimal(2);
    } else if (letter == 'u') {
      read_hexadecimal(4);
    } else if (letter == 'U') {
      read_hexadecimal(8);
    } else if (letter == 'N') {
      throw_at(source_, at_, "characters by name are not supported");
    } else {
      out_.push_back(source_[at_++]);
    }
  }

  void read_octal() {
    char32_t value = 0;
    std::size_t digits = 0;
    ++at_;
    for (; digits < 3 && at_ < end_ && source_[at_] >= '0' && source_[at_] <= '7'; ++digits) {
      value = value * 8 + static_cast<char32_t>(source_[at_++] - '0');
    }
    append_utf8(out_, value);
  }

  void read_hexadecimal(std::size_t num_digits) {
    const std::string_view digits = source_.substr(at_ + 2, std::min(num_digits, end_ - at_ - 2));
    unsigned value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    const bool complete = digits.size() == num_digits && parsed.ptr == digits.data() + digits.size();
    const bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (!complete || parsed.ec != std::errc() || value > 0x10ffff || surrogate) {
      throw_at(source_, at_, "not the escape of a character");
    }
    append_utf8(out_, value);
    at_ += 2 + num_digits;
  }

  std::string_view source_;
  std::size_t at_;
  std::size_t end_;
  std::string out_;
};

}  // namespace

std::string unescape(std::string_view source, std::size_t begin, std::size_t end) {
  return Unescaper(source, begin, end).run();
}

}  // namespace parley::orchestration::jinja
