#include "inference/json/json_numbers.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace parley::inference::json {
namespace {

constexpr std::size_t kMaxKeyBytes = 64;  // longer ones are not fields of ours

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
         c == '.';
}

bool fits_64_bits(std::string_view digits) {
  std::int64_t with_sign = 0;
  std::uint64_t without = 0;
  const char* end = digits.data() + digits.size();
  return std::from_chars(digits.data(), end, with_sign).ec == std::errc() ||
         std::from_chars(digits.data(), end, without).ec == std::errc();
}

bool is_bad_number(std::string_view word) {
  const std::string_view name = word.front() == '-' || word.front() == '+' ? word.substr(1) : word;
  if (name == "NaN" || name == "nan" || name == "Infinity" || name == "inf") return true;
  double number = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (end != word.data() + word.size()) return false;
  if (status == std::errc::result_out_of_range) return true;
  return word.find_first_of(".eE") == std::string_view::npos && !fits_64_bits(word);
}

// Walks over strings, words and punctuation; remembers the key that the value at hand belongs to.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<std::string> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        take_string();
      } else if (is_word(c)) {
        if (is_bad_number(take_word())) return std::string(key_);
      } else {
        if (c == ':') key_ = last_string_;
        if (!is_space(c) && c != ':') key_ = {};
        ++at_;
      }
    }
    return std::nullopt;
  }

 private:
  void take_string() {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    const std::size_t end = at_ < text_.size() ? at_ : text_.size();
    last_string_ = end - begin <= kMaxKeyBytes ? text_.substr(begin, end - begin) : std::string_view();
    ++at_;
  }

  std::string_view take_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view last_string_;
  std::string_view key_;
};

}  // namespace

std::optional<std::string> find_bad_number(std::string_view text) { return Scanner(text).run(); }

}  // namespace parley::inference::json
