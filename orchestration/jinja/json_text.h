#pragma once
// json.dumps() of Python, as the tojson filter of transformers calls it: nothing escaped for HTML, insertion
// order. Bytes of a text keep their origin, escapes included; punctuation, numbers and names count as the
// template's. On the render's thread; what is not JSON's ends the render.

#include <optional>
#include <string>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/text.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

struct JsonFormat {
  bool ensure_ascii = false;
  bool sort_keys = false;
  std::optional<std::string> indent;  // one level's worth; absent: everything on one line
  std::string item_separator = ", ";
  std::string key_separator = ": ";
};

Text to_json_text(Interpreter& interpreter, const Value& value, const JsonFormat& format);

}  // namespace parley::orchestration::jinja
