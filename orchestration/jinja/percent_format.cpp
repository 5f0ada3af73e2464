#include "orchestration/jinja/percent_format.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "orchestration/jinja/arithmetic.h"
#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

struct Conversion {
  std::optional<std::string> key;
  std::string flags;
  std::size_t width = 0;
  std::optional<std::size_t> precision;
  char letter = 0;

  bool has(char flag) const { return flags.find(flag) != std::string::npos; }
};

class PercentFormatter {
 public:
  PercentFormatter(Interpreter& interpreter, const Text& format, const Value& values)
      : interpreter_(interpreter), format_(format), bytes_(format.view()), values_(values) {}

  Text run() {
    interpreter_.charge_copy(format_);
    while (at_ < bytes_.size()) {
      const std::size_t percent = std::min(bytes_.find('%', at_), bytes_.size());
      builder_.append(format_.substring(at_, percent));
      at_ = percent;
      if (at_ < bytes_.size()) convert();
    }
    const bool mapping = values_.is(Kind::dict);
    if (!mapping && next_ < num_values()) {
      interpreter_.fail("not all arguments converted during string formatting");
    }
    return builder_.take();
  }

 private:
  void convert() {
    interpreter_.step();
    ++at_;
    const Conversion conversion = read_conversion();
    if (conversion.letter == '%') {
      builder_.append("%", kTemplateOrigin);
      return;
    }
    const Value& value = next_value(conversion);
    const bool text = conversion.letter == 's' || conversion.letter == 'r' || conversion.letter == 'c';
    if (text) {
      write_padded(conversion, text_of(conversion, value));
    } else {
      write_number(conversion, number_of_conversion(conversion, value));
    }
  }

  Conversion read_conversion() {
    Conversion conversion;
    if (peek() == '(') {
      const std::size_t close = bytes_.find(')', at_);
      if (close == std::string_view::npos) interpreter_.fail("incomplete format key");
      conversion.key = std::string(bytes_.substr(at_ + 1, close - at_ - 1));
      at_ = close + 1;
    }
    while (std::string_view("-+ #0").find(peek()) != std::string_view::npos && at_ < bytes_.size()) {
      conversion.flags.push_back(bytes_[at_++]);
    }
    conversion.width = read_count();
    if (peek() == '.') {
      ++at_;
      conversion.precision = read_count();
    }
    conversion.letter = peek();
    if (conversion.letter == 0) interpreter_.fail("incomplete format");
    ++at_;
    return conversion;
  }

  char peek() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }

  std::size_t read_count() {
    constexpr std::size_t kWidest = 10'000;
    std::size_t count = 0;
    while (is_ascii_digit(static_cast<unsigned char>(peek()))) {
      count = count * 10 + static_cast<std::size_t>(bytes_[at_++] - '0');
      if (count > kWidest) interpreter_.fail("the width of a format is too large");
    }
    return count;
  }

  std::size_t num_values() const {
    const bool tuple = values_.is(Kind::list) && values_.as_list()->sequence == Sequence::tuple;
    return tuple ? values_.as_list()->items.size() : 1;
  }

  const Value& next_value(const Conversion& conversion) {
    if (conversion.key) {
      if (!values_.is(Kind::dict)) interpreter_.fail("format requires a mapping");
      interpreter_.work(2 * conversion.key->size());
      const Value* found = values_.as_dict()->find(*conversion.key);
      if (found == nullptr) interpreter_.fail("the format's key '" + *conversion.key + "' is missing");
      return *found;
    }
    if (next_ >= num_values()) interpreter_.fail("not enough arguments for format string");
    const bool tuple = values_.is(Kind::list) && values_.as_list()->sequence == Sequence::tuple;
    const std::size_t index = next_++;
    return tuple ? values_.as_list()->items[index] : values_;
  }

  Text text_of(const Conversion& conversion, const Value& value) {
    Text text;
    if (conversion.letter == 'r') {
      text = to_representation(interpreter_, value);
    } else if (conversion.letter == 'c' && value.is(Kind::integer)) {
      text = Text(character(value.as_integer()), kTemplateOrigin);
    } else {
      text = to_text(interpreter_, value);
    }
    if (!conversion.precision) return text;
    interpreter_.work(2 * text.size());
    return text.substring(0, offset_of_code_point(text.view(), *conversion.precision));
  }

  std::string character(std::int64_t code_point) {
    const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
    if (code_point < 0 || code_point >= std::int64_t{kInvalid} || surrogate) {
      interpreter_.fail("%c needs the number of a character, not " + std::to_string(code_point));
    }
    std::string bytes;
    append_utf8(bytes, static_cast<char32_t>(code_point));
    return bytes;
  }

  // Sign and base, which zeros are put behind, and the rest.
  struct Number {
    std::string head;
    std::string digits;
  };

  Number number_of_conversion(const Conversion& conversion, const Value& value) {
    if (!is_number(value)) {
      interpreter_.fail(std::string("%") + conversion.letter + " format: a number is required, not " +
                        std::string(type_name(value)));
    }
    const bool whole = std::string_view("diuxXo").find(conversion.letter) != std::string_view::npos;
    const bool floating = std::string_view("feEgGF").find(conversion.letter) != std::string_view::npos;
    if (!whole && !floating) {
      interpreter_.fail(std::string("unsupported format character '") + conversion.letter + "'");
    }
    return whole ? whole_number(conversion, value) : floating_number(conversion, number_of(value));
  }

  Number whole_number(const Conversion& conversion, const Value& value) {
    const std::int64_t whole =
        value.is(Kind::integer) ? value.as_integer() : truncate(interpreter_, number_of(value));
    const bool decimal = std::string_view("diu").find(conversion.letter) != std::string_view::npos;
    const std::string format = std::string("%.*l") + (decimal ? 'u' : conversion.letter);
    const auto magnitude = static_cast<std::uint64_t>(whole);
    Number number;
    number.head = sign_of(conversion, whole < 0);
    if (!decimal && conversion.has('#')) number.head += std::string("0") + conversion.letter;
    number.digits = printed(format, conversion.precision.value_or(1), whole < 0 ? 0 - magnitude : magnitude);
    return number;
  }

  static Number floating_number(const Conversion& conversion, double value) {
    const std::string format = std::string(conversion.has('#') ? "%#.*" : "%.*") + conversion.letter;
    Number number;
    number.head = sign_of(conversion, std::signbit(value));
    number.digits = printed(format, conversion.precision.value_or(6), std::fabs(value));
    return number;
  }

  static std::string sign_of(const Conversion& conversion, bool negative) {
    if (negative) return "-";
    return conversion.has('+') ? "+" : conversion.has(' ') ? " " : "";
  }

  template <typename T>
  static std::string printed(const std::string& format, std::size_t precision, T number) {
    std::array<char, 400> buffer{};
    std::snprintf(buffer.data(), buffer.size(), format.c_str(),
                  static_cast<int>(std::min<std::size_t>(precision, 60)), number);
    return buffer.data();
  }

  void write_number(const Conversion& conversion, const Number& number) {
    const std::size_t size = number.head.size() + number.digits.size();
    const std::size_t missing = conversion.width > size ? conversion.width - size : 0;
    const bool zeros = conversion.has('0') && !conversion.has('-');
    const std::string inner = number.head + std::string(zeros ? missing : 0, '0') + number.digits;
    write_padded(conversion, Text(inner, kTemplateOrigin));
  }

  void write_padded(const Conversion& conversion, const Text& text) {
    const std::size_t size = count_code_points(text.view());
    const std::string spaces(conversion.width > size ? conversion.width - size : 0, ' ');
    interpreter_.charge(2 * text.size() + text.copy_bytes() + spaces.size() + sizeof(OriginRun));
    if (!conversion.has('-')) builder_.append(spaces, kTemplateOrigin);
    builder_.append(text);
    if (conversion.has('-')) builder_.append(spaces, kTemplateOrigin);
  }

  Interpreter& interpreter_;
  const Text& format_;
  const std::string_view bytes_;
  const Value& values_;
  std::size_t at_ = 0;
  std::size_t next_ = 0;
  TextBuilder builder_;
};

const Value& field_value(Interpreter& interpreter, std::string_view name, const Arguments& arguments) {
  std::size_t index = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), index);
  const bool number = parsed.ec == std::errc() && parsed.ptr == name.data() + name.size();
  if (number && index < arguments.positional.size()) return arguments.positional[index];
  for (const auto& [keyword, value] : arguments.keyword) {
    interpreter.work(name.size());
    if (keyword.view() == name) return value;
  }
  interpreter.fail("str.format() has no value for the field '" + std::string(name) +
                   "', or does not support it");
}

}  // namespace

Text format_percent(Interpreter& interpreter, const Text& format, const Value& values) {
  return PercentFormatter(interpreter, format, values).run();
}

Text format_braces(Interpreter& interpreter, const Text& format, const Arguments& arguments) {
  const std::string_view bytes = format.view();
  interpreter.charge_copy(format);
  TextBuilder builder;
  std::size_t automatic = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    interpreter.step();
    const std::size_t brace = std::min(bytes.find_first_of("{}", at), bytes.size());
    builder.append(format.substring(at, brace));
    if (brace == bytes.size()) break;
    at = brace + 1;
    if (at < bytes.size() && bytes[at] == bytes[brace]) {
      builder.append(format.substring(brace, at++));
      continue;
    }
    const std::size_t close = bytes.find('}', at);
    if (bytes[brace] == '}' || close == std::string_view::npos)
      interpreter.fail("single brace in a format string");
    std::string name(bytes.substr(at, close - at));
    if (name.empty()) name = std::to_string(automatic++);
    const Text text = to_text(interpreter, field_value(interpreter, name, arguments));
    interpreter.charge(text.copy_bytes() + sizeof(OriginRun));
    builder.append(text);
    at = close + 1;
  }
  return builder.take();
}

}  // namespace parley::orchestration::jinja
