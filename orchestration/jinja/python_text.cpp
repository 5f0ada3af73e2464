#include "orchestration/jinja/python_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "orchestration/jinja/characters.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

class RepresentationWriter {
 public:
  explicit RepresentationWriter(Interpreter& interpreter) : interpreter_(interpreter) {}

  void write(const Value& value) {
    const Nesting nesting(interpreter_);
    interpreter_.step();
    switch (value.kind()) {
      case Kind::text:
        write_quoted(value.as_text());
        break;
      case Kind::list:
        write_list(*value.as_list());
        break;
      case Kind::dict:
        write_dict(*value.as_dict());
        break;
      case Kind::undefined:
        own("Undefined");
        break;
      default:
        write_atom(value);
    }
  }

  Text take() { return builder_.take(); }

 private:
  void own(std::string_view bytes) { builder_.append(bytes, kTemplateOrigin); }

  void write_atom(const Value& value) {
    interpreter_.charge(32);
    builder_.append(to_text(interpreter_, value));
  }

  void write_quoted(const Text& text) {
    interpreter_.charge(text.size());
    interpreter_.work(4 * text.size());
    const bool single = text.view().find('\'') != std::string_view::npos;
    const bool twice = text.view().find('"') != std::string_view::npos;
    const char quote = single && !twice ? '"' : '\'';
    const std::string_view mark(&quote, 1);
    own(mark);
    std::string escaped;
    text.for_each_run([&](std::string_view bytes, Origin origin) {
      escaped.clear();
      for (std::size_t at = 0; at < bytes.size();) {
        const CodePoint next = code_point_at(bytes, at);
        append_escaped(escaped, next.value, quote);
        at += next.size;
      }
      interpreter_.charge(escaped.size() + sizeof(OriginRun));
      builder_.append(escaped, origin);
    });
    own(mark);
  }

  static void append_escaped(std::string& out, char32_t c, char quote) {
    if (c == '\\' || c == static_cast<unsigned char>(quote)) {
      out.push_back('\\');
      out.push_back(static_cast<char>(c));
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (is_printable(c) || c >= kInvalid) {
      append_utf8(out, c);
    } else {
      std::array<char, 12> number{};
      const char* format = c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x";
      std::snprintf(number.data(), number.size(), format, static_cast<unsigned>(c));
      out += number.data();
    }
  }

  void write_list(const List& list) {
    const bool tuple = list.sequence == Sequence::tuple;
    own(tuple ? "(" : "[");
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      if (i > 0) own(", ");
      write(list.items[i]);
    }
    if (tuple && list.items.size() == 1) own(",");
    own(tuple ? ")" : "]");
  }

  void write_dict(const Dict& dict) {
    own("{");
    bool first = true;
    for (const auto& [key, value] : dict.entries()) {
      if (!first) own(", ");
      first = false;
      write(key);
      own(": ");
      write(value);
    }
    own("}");
  }

  Interpreter& interpreter_;
  TextBuilder builder_;
};

// Digits and decimal exponent of the shortest representation: 1.5e-7 is "15", -7.
struct ShortestDigits {
  std::string digits;
  int exponent = 0;
};

ShortestDigits shortest_digits(double magnitude) {
  std::array<char, 40> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  ShortestDigits result;
  for (const char c : text.substr(0, e)) {
    if (c != '.') result.digits.push_back(c);
  }
  std::string_view exponent = text.substr(e + 1);
  if (exponent.front() == '+') exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
  return result;
}

std::string with_exponent(const ShortestDigits& number) {
  std::string text = number.digits.substr(0, 1);
  if (number.digits.size() > 1) text += "." + number.digits.substr(1);
  const int size = std::abs(number.exponent);
  return text + (number.exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + std::to_string(size);
}

std::string without_exponent(const ShortestDigits& number) {
  const std::string& digits = number.digits;
  if (number.exponent < 0) {
    return "0." + std::string(static_cast<std::size_t>(-number.exponent - 1), '0') + digits;
  }
  const auto whole = static_cast<std::size_t>(number.exponent) + 1;
  if (digits.size() <= whole) return digits + std::string(whole - digits.size(), '0') + ".0";
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace

std::string format_float(double number) {
  if (std::isnan(number)) return "nan";
  const std::string sign = std::signbit(number) ? "-" : "";
  if (std::isinf(number)) return sign + "inf";
  const ShortestDigits shortest = shortest_digits(std::fabs(number));
  const bool short_exponent = shortest.exponent >= -4 && shortest.exponent < 16;
  return sign + (short_exponent ? without_exponent(shortest) : with_exponent(shortest));
}

std::string describe(const Undefined& undefined) {
  const std::string name = "'" + std::string(undefined.name) + "'";
  if (undefined.owner.empty())
    return undefined.name.empty() ? "the value is undefined" : name + " is undefined";
  const std::string owner = undefined.owner == "NoneType" ? "None" : std::string(undefined.owner) + " object";
  return "'" + owner + "' has no attribute " + name;
}

Text to_text(Interpreter& interpreter, const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
      return {};
    case Kind::none:
      return Text("None", kTemplateOrigin);
    case Kind::boolean:
      return Text(value.as_boolean() ? "True" : "False", kTemplateOrigin);
    case Kind::integer:
      return Text(std::to_string(value.as_integer()), kTemplateOrigin);
    case Kind::floating:
      return Text(format_float(value.as_floating()), kTemplateOrigin);
    case Kind::text:
      return value.as_text();
    case Kind::object:
      return Text("<" + std::string(value.as_object()->type_name()) + " object>", kTemplateOrigin);
    default:
      return to_representation(interpreter, value);
  }
}

Text to_representation(Interpreter& interpreter, const Value& value) {
  RepresentationWriter writer(interpreter);
  writer.write(value);
  return writer.take();
}

}  // namespace parley::orchestration::jinja
