#include "orchestration/jinja/source_place.h"

#include <algorithm>

#include "orchestration/jinja/characters.h"

namespace parley::orchestration::jinja {
namespace {

constexpr std::size_t kSnippetLength = 60;  // code points

}  // namespace

SourcePlace place_in(std::string_view source, std::size_t offset) {
  offset = std::min(offset, source.size());
  const std::string_view before = source.substr(0, offset);
  SourcePlace place;
  place.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t newline = before.rfind('\n');
  const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
  place.column += count_code_points(before.substr(line_begin));
  std::string_view rest = source.substr(offset);
  rest = rest.substr(0, rest.find('\n'));
  place.snippet = rest.substr(0, offset_of_code_point(rest, kSnippetLength));
  return place;
}

std::string located_message(std::string_view source, std::size_t offset, std::string_view message) {
  const SourcePlace place = place_in(source, offset);
  std::string text = "chat template line " + std::to_string(place.line) + ", column " +
                     std::to_string(place.column) + ": " + std::string(message);
  if (!place.snippet.empty()) text += ", near `" + place.snippet + "`";
  return text;
}

}  // namespace parley::orchestration::jinja
