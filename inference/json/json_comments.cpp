#include "inference/json/json_comments.h"

namespace parley::inference::json {

std::string blank_comments(std::string_view json) {
  std::string out(json);
  enum class In { text, string, line_comment, block_comment } in = In::text;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char c = out[i];
    const char next = i + 1 < out.size() ? out[i + 1] : '\0';
    if (in == In::string) {
      if (c == '\\') ++i;
      if (c == '"') in = In::text;
    } else if (in == In::text) {
      if (c == '"') in = In::string;
      if (c == '/' && next == '/') in = In::line_comment;
      if (c == '/' && next == '*') in = In::block_comment;
      if (in == In::line_comment || in == In::block_comment) out[i] = out[i + 1] = ' ', ++i;
    } else if (in == In::line_comment && c == '\n') {
      in = In::text;
    } else if (in == In::block_comment && c == '*' && next == '/') {
      out[i] = out[i + 1] = ' ', ++i;
      in = In::text;
    } else if (c != '\n') {
      out[i] = ' ';
    }
  }
  return out;
}

std::string blank_trailing_commas(std::string_view json) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::string out(json);
  bool in_string = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '"') in_string = !in_string;
    if (in_string && out[i] == '\\') ++i;
    if (in_string || i >= out.size() || out[i] != ',') continue;
    const std::size_t next = out.find_first_not_of(kSpace, i + 1);
    if (next != std::string::npos && (out[next] == ']' || out[next] == '}')) out[i] = ' ';
  }
  return out;
}

}  // namespace parley::inference::json
