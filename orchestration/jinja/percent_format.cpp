#include "orchestration/jinja/percent_format.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>

#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/operators.h"
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
};

class PercentFormatter {
 public:
  PercentFormatter(Interpreter& interpreter, const Text& format, const Value& values)
      : interpreter_(interpreter), format_(format), bytes_(format.view()), values_(values) {}

  Text run() {
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
    pad(conversion, text ? text_of(conversion, value) : number_text(conversion, value));
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
      std::string bytes;
      append_utf8(bytes, static_cast<char32_t>(value.as_integer()) % kInvalid);
      text = Text(std::move(bytes), kTemplateOrigin);
    } else {
      text = to_text(interpreter_, value);
    }
    if (!conversion.precision) return text;
    return text.substring(0, offset_of_code_point(text.view(), *conversion.precision));
  }

  Text number_text(const Conversion& conversion, const Value& value) {
    if (!is_number(value)) {
      interpreter_.fail(std::string("%") + conversion.letter + " format: a number is required, not " +
                        std::string(type_name(value)));
    }
    std::string format = "%" + conversion.flags;
    std::array<char, 400> buffer{};
    const int precision =
        conversion.precision ? static_cast<int>(std::min<std::size_t>(*conversion.precision, 60)) : -1;
    if (std::string_view("diuxXo").find(conversion.letter) != std::string_view::npos) {
      const bool decimal = std::string_view("diu").find(conversion.letter) != std::string_view::npos;
      const long whole =
          value.is(Kind::integer) ? value.as_integer() : truncate(interpreter_, number_of(value));
      if (whole < 0 && !decimal) interpreter_.fail("negative numbers are only formatted in decimal");
      format += std::string(".*l") + (decimal ? 'd' : conversion.letter);
      std::snprintf(buffer.data(), buffer.size(), format.c_str(), precision, whole);
    } else if (std::string_view("feEgGF").find(conversion.letter) != std::string_view::npos) {
      format += std::string(".*") + conversion.letter;
      std::snprintf(buffer.data(), buffer.size(), format.c_str(), precision, number_of(value));
    } else {
      interpreter_.fail(std::string("unsupported format character '") + conversion.letter + "'");
    }
    return Text(buffer.data(), kTemplateOrigin);
  }

  void pad(const Conversion& conversion, const Text& text) {
    const std::size_t size = count_code_points(text.view());
    const std::size_t missing = conversion.width > size ? conversion.width - size : 0;
    const bool left = conversion.flags.find('-') != std::string::npos;
    const bool number = std::string_view("src").find(conversion.letter) == std::string_view::npos;
    const bool zeros = number && !left && conversion.flags.find('0') != std::string::npos;
    interpreter_.charge(text.size() + missing);
    const std::size_t sign =
        zeros && !text.empty() && (text.view()[0] == '-' || text.view()[0] == '+') ? 1 : 0;
    builder_.append(text.substring(0, sign));
    if (!left) builder_.append(std::string(missing, zeros ? '0' : ' '), kTemplateOrigin);
    builder_.append(text.substring(sign, text.size()));
    if (left) builder_.append(std::string(missing, ' '), kTemplateOrigin);
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
    if (keyword == name) return value;
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
    interpreter.charge(text.size());
    builder.append(text);
    at = close + 1;
  }
  return builder.take();
}

}  // namespace parley::orchestration::jinja
