#include "orchestration/tools/calculate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "orchestration/tools/calculator_functions.h"
#include "orchestration/tools/calculator_number.h"

namespace parley::orchestration::tools {
namespace {

constexpr std::size_t kMaxExpression = 2000;
constexpr int kMaxDepth = 100;
constexpr std::size_t kMaxDigits = 1000;
constexpr int kMaxWrittenExponent = 1000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Signs that people and models write: one byte each here, so that places stay right (they count characters).
std::string plain_signs(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kSigns = {{{"\xC3\x97", "*"},
                                                                                    {"\xC2\xB7", "*"},
                                                                                    {"\xC3\xB7", "/"},
                                                                                    {"\xE2\x88\x92", "-"},
                                                                                    {"\xCF\x80", "pi"},
                                                                                    {"\xC2\xA0", " "},
                                                                                    {"\xE2\x80\xAF", " "}}};
  std::string out;
  while (!text.empty()) {
    const auto sign = std::find_if(kSigns.begin(), kSigns.end(), [&](const auto& row) {
      return text.substr(0, row.first.size()) == row.first;
    });
    const bool known = sign != kSigns.end();
    out += known ? sign->second : text.substr(0, 1);
    text.remove_prefix(known ? sign->first.size() : 1);
  }
  return out;
}

// Recursive descent; each level of parentheses, signs and powers counts against kMaxDepth.
class Evaluator {
 public:
  explicit Evaluator(std::string_view text) : text_(text) {}

  Number run() {
    Number value = sum();
    skip_spaces();
    if (value.problem() == nullptr && at_ < text_.size()) return fail_here();
    return value;
  }

  std::size_t place() const { return at_ + 1; }

 private:
  // Counts how deep the recursion is.
  class Level {
   public:
    explicit Level(int& depth) : depth_(depth) { ++depth_; }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    bool too_deep() const { return depth_ > kMaxDepth; }

   private:
    int& depth_;
  };

  // Reading ends here: no loop goes on after it.
  Number fail_with(std::string sentence) {
    at_ = text_.size();
    return Number::failed(std::move(sentence));
  }

  Number fail(const std::string& what) {
    return fail_with(what + " at character " + std::to_string(place()) + ".");
  }

  Number fail_here() {
    if (at_ >= text_.size()) return fail_with("The expression ends too early.");
    if (text_[at_] == ',')
      return fail("A comma only stands between the arguments of a function (write 1000, not 1,000), not");
    if (text_[at_] == '=')
      return fail("There is nothing to solve or to assign: only one expression is worked out, without \"=\"");
    const auto c = static_cast<unsigned char>(text_[at_]);
    const std::string shown = c > ' ' && c < 127 ? "\"" + std::string(1, text_[at_]) + "\"" : "a character";
    return fail("There is no place for " + shown);
  }

  char peek() {
    skip_spaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }

  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  Number sum() {
    Number value = product();
    while (true) {
      if (take('+')) {
        value = add(value, product());
      } else if (take('-')) {
        value = subtract(value, product());
      } else {
        return value;
      }
    }
  }

  Number product() {
    Number value = signed_value();
    while (true) {
      if (take('*')) {
        value = multiply(value, signed_value());
      } else if (take('/')) {
        value = divide(value, signed_value());
      } else if (take('%')) {
        value = percent(value);
      } else {
        return value;
      }
    }
  }

  // After "%": a remainder, or per cent.
  Number percent(const Number& value) {
    const char next = peek();
    const bool ends = at_ >= text_.size() || next == ')' || next == ',' || next == '*' || next == '/';
    if (ends) return divide(value, Rational(100));
    if (next == '+' || next == '-') {
      return fail("For per cent write 20/100; for a remainder put what follows % in parentheses,");
    }
    return remainder(value, signed_value());
  }

  Number signed_value() {
    const Level level(depth_);
    if (level.too_deep()) return fail_with("The expression is nested too deeply.");
    if (take('-')) return subtract(Number(), signed_value());
    if (take('+')) return signed_value();
    return powered();
  }

  Number powered() {
    Number base = primary();
    const bool caret = take('^');
    if (caret || take_double_star()) return power(base, signed_value());
    return base;
  }

  bool take_double_star() {
    if (peek() != '*' || at_ + 1 >= text_.size() || text_[at_ + 1] != '*') return false;
    at_ += 2;
    return true;
  }

  Number primary() {
    const char c = peek();
    if (c == '(') {
      ++at_;
      Number value = sum();
      if (value.problem() == nullptr && !take(')')) return fail_unclosed();
      return value;
    }
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return named();
    return fail_here();
  }

  Number fail_unclosed() {
    if (at_ >= text_.size()) return fail_with("A parenthesis is not closed.");
    return fail_here();
  }

  std::string digits() {
    std::string out;
    while (at_ < text_.size() && (is_digit(text_[at_]) || (text_[at_] == '_' && !out.empty()))) {
      if (text_[at_] != '_') out += text_[at_];
      ++at_;
    }
    return out;
  }

  Number number() {
    std::string all = digits();
    int exponent = 0;
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      const std::string fraction = digits();
      all += fraction;
      exponent = -static_cast<int>(fraction.size());
    }
    if (all.empty()) return fail("A number has no digits");
    if (all.size() > kMaxDigits) return fail("A number has more than 1000 digits");
    if (has_exponent()) {
      const auto written = written_exponent();
      if (!written) return fail("An exponent is larger than 1000");
      exponent += *written;
    }
    const std::size_t significant = std::min(all.find_first_not_of('0'), all.size() - 1);
    const Rational mantissa{Integer(all.substr(significant))};  // a leading zero would mean base 8
    return multiply(mantissa, power(Rational(10), Rational(exponent)));
  }

  // "2e3", but not the constant in "2e".
  bool has_exponent() const {
    if (at_ >= text_.size() || (text_[at_] != 'e' && text_[at_] != 'E')) return false;
    std::size_t next = at_ + 1;
    if (next < text_.size() && (text_[next] == '-' || text_[next] == '+')) ++next;
    return next < text_.size() && is_digit(text_[next]);
  }

  std::optional<int> written_exponent() {
    ++at_;
    const bool negative = text_[at_] == '-';
    if (!is_digit(text_[at_])) ++at_;
    std::string written = digits();
    written.erase(0, std::min(written.find_first_not_of('0'), written.size() - 1));
    if (written.size() > 4 || std::stoi(written) > kMaxWrittenExponent) return std::nullopt;
    return negative ? -std::stoi(written) : std::stoi(written);
  }

  Number named() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    std::string name(text_.substr(begin, at_ - begin));
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (const auto value = constant(name)) return *value;
    if (!is_function(name)) {
      at_ = begin;
      return fail_with("\"" + name + "\" at character " + std::to_string(place()) +
                       " is not known; there are pi, e, " + function_list() + ".");
    }
    if (!take('(')) return fail("\"" + name + "\" needs its argument in parentheses");
    return called(name);
  }

  Number called(const std::string& name) {
    std::vector<Number> values;
    if (take(')')) return call_function(name, values);
    do {
      values.push_back(sum());
      if (values.back().problem() != nullptr) return values.back();
    } while (take(','));
    if (!take(')')) return fail_unclosed();
    return call_function(name, values);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Calculation calculate(std::string_view expression) {
  if (expression.size() > kMaxExpression) {
    return {.text = {},
            .problem = "The expression is longer than " + std::to_string(kMaxExpression) + " bytes."};
  }
  const std::string text = plain_signs(expression);
  const Number value = Evaluator(text).run();
  if (const std::string* problem = value.problem()) return {.text = {}, .problem = *problem};
  return {.text = value.text(), .problem = {}};
}

}  // namespace parley::orchestration::tools
