#include "inference/json_schema/uri.h"

#include <algorithm>
#include <charconv>

namespace parley::inference::json_schema {
namespace {

bool is_scheme(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto follows = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  };
  return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), follows);
}

// RFC 3986, 5.2.4.
std::string without_dot_segments(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t next = path.find('/', path.front() == '/' ? 1 : 0);
    const std::string_view segment = path.substr(0, next);
    const std::string_view rest = next == std::string_view::npos ? std::string_view{} : path.substr(next);
    if (segment == "." || segment == "..") {
      path = rest.empty() ? rest : rest.substr(1);
    } else if (segment == "/." || segment == "/..") {
      if (segment == "/..") out.erase(std::min(out.size(), out.rfind('/')));
      path = rest.empty() ? std::string_view("/") : rest;
    } else {
      out += segment;
      path = rest;
    }
  }
  return out;
}

std::string merged_path(const UriParts& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  const std::string_view folder =
      slash == std::string_view::npos ? std::string_view{} : base.path.substr(0, slash + 1);
  return std::string(folder) + std::string(path);
}

std::string joined(const UriParts& parts, std::string_view path) {
  std::string out;
  if (parts.scheme) out.append(*parts.scheme) += ':';
  if (parts.authority) out.append("//").append(*parts.authority);
  out += path;
  if (parts.query) (out += '?').append(*parts.query);
  return out;
}

}  // namespace

UriParts split_uri(std::string_view text) {
  UriParts parts;
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    parts.fragment = text.substr(hash + 1);
    text = text.substr(0, hash);
  }
  if (const std::size_t mark = text.find('?'); mark != std::string_view::npos) {
    parts.query = text.substr(mark + 1);
    text = text.substr(0, mark);
  }
  if (const std::size_t colon = text.find(':');
      colon != std::string_view::npos && is_scheme(text.substr(0, colon))) {
    parts.scheme = text.substr(0, colon);
    text = text.substr(colon + 1);
  }
  if (text.starts_with("//")) {
    const std::size_t end = std::min(text.find('/', 2), text.size());
    parts.authority = text.substr(2, end - 2);
    text = text.substr(end);
  }
  parts.path = text;
  return parts;
}

std::string resolve_uri(std::string_view base, std::string_view reference) {
  UriParts target = split_uri(reference);
  const UriParts from = split_uri(base);
  if (target.scheme) return joined(target, without_dot_segments(target.path));
  target.scheme = from.scheme;
  if (target.authority) return joined(target, without_dot_segments(target.path));
  target.authority = from.authority;
  if (target.path.empty()) {
    if (!target.query) target.query = from.query;
    return joined(target, from.path);
  }
  if (target.path.starts_with('/')) return joined(target, without_dot_segments(target.path));
  return joined(target, without_dot_segments(merged_path(from, target.path)));
}

std::string decode_percent(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace parley::inference::json_schema
