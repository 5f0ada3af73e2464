#include "inference/json/json_writer.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace parley::inference::json {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kHex = "0123456789abcdef";

// Bytes that are not UTF-8 come from byte-level tokens; one U+FFFD for each keeps the text readable.
std::string mend_utf8(std::string_view text) {
  std::string mended;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t length = std::min<std::size_t>(4, text.size() - begin);
    while (length > 0 && !simdjson::validate_utf8(text.data() + begin, length)) --length;
    mended += length == 0 ? kReplacement : text.substr(begin, length);
    begin += std::max<std::size_t>(length, 1);
  }
  return mended;
}

class Writer {
 public:
  void write(const JsonValue& value) {
    switch (value.kind()) {
      case boost::json::kind::object:
        return write_object(value.get_object());
      case boost::json::kind::array:
        return write_array(value.get_array());
      case boost::json::kind::string:
        return write_text(value.get_string());
      case boost::json::kind::int64:
        return write_number(value.get_int64());
      case boost::json::kind::uint64:
        return write_number(value.get_uint64());
      case boost::json::kind::double_:
        if (std::isfinite(value.get_double())) return write_number(value.get_double());
        break;
      case boost::json::kind::bool_:
        out_ += value.get_bool() ? "true" : "false";
        return;
      case boost::json::kind::null:
        break;
    }
    out_ += "null";
  }

  std::string take() { return std::move(out_); }

 private:
  void write_object(const JsonObject& object) {
    char before = '{';
    for (const auto& field : object) {
      out_ += before;
      before = ',';
      write_text(field.key());
      out_ += ':';
      write(field.value());
    }
    out_ += object.empty() ? "{}" : "}";
  }

  void write_array(const JsonArray& array) {
    char before = '[';
    for (const JsonValue& element : array) {
      out_ += before;
      before = ',';
      write(element);
    }
    out_ += array.empty() ? "[]" : "]";
  }

  void write_text(std::string_view text) {
    out_ += '"';
    if (simdjson::validate_utf8(text.data(), text.size())) {
      write_escaped(text);
    } else {
      write_escaped(mend_utf8(text));
    }
    out_ += '"';
  }

  void write_escaped(std::string_view text) {
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (c == '\n') {
        out_ += "\\n";
      } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        out_ += "\\u00";
        out_ += kHex[static_cast<unsigned char>(c) >> 4];
        out_ += kHex[static_cast<unsigned char>(c) & 15];
      } else {
        out_ += c;
      }
    }
  }

  template <typename Number>
  void write_number(Number number) {
    std::array<char, 32> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    out_.append(digits.data(), result.ptr);
  }

  std::string out_;
};

}  // namespace

JsonValue json_number(float value) {
  if (!std::isfinite(value)) return nullptr;
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  double number = value;
  std::from_chars(digits.data(), written.ptr, number);
  return number;
}

std::string to_json_text(const JsonValue& value) {
  Writer writer;
  writer.write(value);
  return writer.take();
}

}  // namespace parley::inference::json
