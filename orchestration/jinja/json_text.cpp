#include "orchestration/jinja/json_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/comparison.h"
#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

void append_utf16_escape(std::string& out, unsigned unit) {
  std::array<char, 8> number{};
  std::snprintf(number.data(), number.size(), "\\u%04x", unit);
  out += number.data();
}

void append_json_character(std::string& out, char32_t c, const JsonFormat& format) {
  constexpr std::string_view kShort = "\"\\\n\r\t\b\f";
  constexpr std::string_view kLetters = "\"\\nrtbf";
  const std::size_t known = c < 0x80 ? kShort.find(static_cast<char>(c)) : std::string_view::npos;
  if (known != std::string_view::npos) {
    out.push_back('\\');
    out.push_back(kLetters[known]);
  } else if (c >= 0x20 && (c < 0x7f || !format.ensure_ascii)) {
    append_utf8(out, c);
  } else if (c >= kInvalid) {
    append_utf16_escape(out, 0xfffd);
  } else if (c < 0x10000) {
    append_utf16_escape(out, c);
  } else {
    append_utf16_escape(out, 0xd800 + ((c - 0x10000) >> 10));
    append_utf16_escape(out, 0xdc00 + ((c - 0x10000) & 0x3ff));
  }
}

class JsonWriter {
 public:
  JsonWriter(Interpreter& interpreter, const JsonFormat& format)
      : interpreter_(interpreter), format_(format) {}

  void write(const Value& value) {
    const Nesting nesting(interpreter_);
    interpreter_.step();
    switch (value.kind()) {
      case Kind::text:
        write_string(value.as_text());
        break;
      case Kind::list:
        write_list(*value.as_list());
        break;
      case Kind::dict:
        write_dict(*value.as_dict());
        break;
      case Kind::undefined:
      case Kind::object:
        interpreter_.fail("Object of type " + std::string(type_name(value)) + " is not JSON serializable");
      default:
        own(scalar(value));
    }
  }

  Text take() { return builder_.take(); }

 private:
  void own(std::string_view bytes) {
    interpreter_.charge(bytes.size());
    builder_.append(bytes, kTemplateOrigin);
  }

  static std::string scalar(const Value& value) {
    if (value.is(Kind::none)) return "null";
    if (value.is(Kind::boolean)) return value.as_boolean() ? "true" : "false";
    if (value.is(Kind::integer)) return std::to_string(value.as_integer());
    const double number = value.as_floating();
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
    return format_float(number);
  }

  void write_string(const Text& text) {
    own("\"");
    interpreter_.work(4 * text.size());
    std::string escaped;
    text.for_each_run([&](std::string_view bytes, Origin origin) {
      escaped.clear();
      for (std::size_t at = 0; at < bytes.size();) {
        const CodePoint next = code_point_at(bytes, at);
        append_json_character(escaped, next.value, format_);
        at += next.size;
      }
      interpreter_.charge(escaped.size() + sizeof(OriginRun));
      builder_.append(escaped, origin);
    });
    own("\"");
  }

  void write_key(const Value& key) {
    if (key.is(Kind::text)) {
      write_string(key.as_text());
    } else {
      own("\"" + scalar(key) + "\"");
    }
  }

  void new_line() {
    if (!format_.indent) return;
    own("\n");
    for (std::size_t i = 0; i < level_; ++i) own(*format_.indent);
  }

  void write_list(const List& list) {
    if (list.sequence == Sequence::view || list.sequence == Sequence::generator) {
      interpreter_.fail("Object of type generator is not JSON serializable");
    }
    if (list.items.empty()) return own("[]");
    own("[");
    ++level_;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      if (i > 0) own(format_.item_separator);
      new_line();
      write(list.items[i]);
    }
    --level_;
    new_line();
    own("]");
  }

  void write_dict(const Dict& dict) {
    if (dict.size() == 0) return own("{}");
    std::vector<const Dict::Entry*> entries;
    for (const Dict::Entry& entry : dict.entries()) entries.push_back(&entry);
    if (format_.sort_keys) {
      std::stable_sort(entries.begin(), entries.end(), [this](const Dict::Entry* a, const Dict::Entry* b) {
        return less(interpreter_, a->first, b->first);
      });
    }
    own("{");
    ++level_;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0) own(format_.item_separator);
      new_line();
      write_key(entries[i]->first);
      own(format_.key_separator);
      write(entries[i]->second);
    }
    --level_;
    new_line();
    own("}");
  }

  Interpreter& interpreter_;
  const JsonFormat& format_;
  std::size_t level_ = 0;
  TextBuilder builder_;
};

}  // namespace

Text to_json_text(Interpreter& interpreter, const Value& value, const JsonFormat& format) {
  JsonWriter writer(interpreter, format);
  writer.write(value);
  return writer.take();
}

}  // namespace parley::orchestration::jinja
