#pragma once
// The formats that `format` can enforce. Immutable tables and pure functions, any thread. All are linear in
// the text but for `regex`, which compiles a pattern of bounded length.

#include <string_view>

namespace parley::inference::json_schema {

struct Format {
  std::string_view name;
  std::string_view words;  // "a date such as 2024-05-31"
  bool (*holds)(std::string_view text) = nullptr;
};

// Null: unknown, or one that is not enforced (iri, idn-email, uri-template …); such a format describes only.
const Format* find_format(std::string_view name);

}  // namespace parley::inference::json_schema
