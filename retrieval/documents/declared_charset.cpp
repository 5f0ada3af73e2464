#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "retrieval/documents/text_decoding.h"

namespace parley::retrieval::documents {

namespace {

bool is_label(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == ':';
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  return lower;
}

// The label behind `key` with white space, '=' or ':' and a quote between, as all these notations have it.
std::string label_after(std::string_view text, std::string_view key) {
  std::size_t at = text.find(key);
  if (at == std::string_view::npos) return "";
  at += key.size();
  while (at < text.size() && (text[at] == ' ' || text[at] == '=' || text[at] == '"' || text[at] == '\''))
    ++at;
  std::size_t end = at;
  while (end < text.size() && is_label(text[end])) ++end;
  return std::string(text.substr(at, end - at));
}

std::string of_meta(std::string_view head) {
  for (std::size_t at = head.find("<meta"); at != std::string_view::npos; at = head.find("<meta", at + 1)) {
    std::string label = label_after(head.substr(at, head.find('>', at) - at), "charset");
    if (!label.empty()) return label;
  }
  return "";
}

// Python and Emacs ("coding: x", "coding=x"), Vim ("fileencoding=x"): in the first two lines.
std::string of_coding_line(std::string_view head) {
  const std::size_t first = head.find('\n');
  const std::string_view lines = head.substr(0, first == head.npos ? first : head.find('\n', first + 1));
  for (const std::string_view key : {"coding:", "coding="}) {
    std::string label = label_after(lines, key);
    if (label.empty()) continue;
    // Emacs puts the way lines end behind it.
    for (const std::string_view tail : {"-unix", "-dos", "-mac"}) {
      if (label.ends_with(tail)) return label.substr(0, label.size() - tail.size());
    }
    return label;
  }
  return "";
}

}  // namespace

std::string declared_charset_of(std::string_view bytes) {
  constexpr std::size_t kHead = 4096;
  const std::string head = lowered(bytes.substr(0, kHead));
  if (head.starts_with("<?xml")) {
    std::string label = label_after(std::string_view(head).substr(0, head.find('>')), "encoding");
    if (!label.empty()) return label;
  }
  std::string label = of_meta(head);
  if (label.empty()) label = of_coding_line(head);
  if (label.empty()) label = label_after(head, "\n=encoding ");
  return label;
}

}  // namespace parley::retrieval::documents
