#pragma once
// Bytes of a server's answer as text that a model and a person can be shown. Pure, any thread; never fails.

#include <string>
#include <string_view>

namespace parley::orchestration::tools {

struct MediaType {
  std::string name;     // "text/html", in lower case; empty: not said
  std::string charset;  // in lower case; empty: not said
};

MediaType parse_media_type(std::string_view content_type);

bool is_json(const MediaType& type);
bool is_text(const MediaType& type, std::string_view body);

// Valid UTF-8 without control characters (but newline and tab) and terminal escape sequences; JSON compact,
// with characters in place of escapes where it is valid.
std::string shown_text(std::string_view bytes, const MediaType& type);

// The same of a text in UTF-8.
std::string shown_text(std::string_view text);

}  // namespace parley::orchestration::tools
