#pragma once
// URI references taken apart and resolved against a base (RFC 3986, sections 3 and 5). Pure, any thread,
// never fails: any text has five parts, whether it is a URI or not (that is formats/uri's question).

#include <optional>
#include <string>
#include <string_view>

namespace parley::inference::json_schema {

struct UriParts {  // views of the text that was split
  std::optional<std::string_view> scheme;
  std::optional<std::string_view> authority;
  std::string_view path;
  std::optional<std::string_view> query;
  std::optional<std::string_view> fragment;
};

UriParts split_uri(std::string_view text);

// `reference` as seen from `base` (which may itself be relative or empty), without a fragment.
std::string resolve_uri(std::string_view base, std::string_view reference);

// "%41" as "A"; what is no escape stays.
std::string decode_percent(std::string_view text);

}  // namespace parley::inference::json_schema
