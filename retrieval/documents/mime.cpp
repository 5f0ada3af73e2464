#include "retrieval/documents/mime.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <variant>

#include "retrieval/documents/charset.h"
#include "retrieval/documents/text_decoding.h"
#include "retrieval/documents/text_lines.h"
#include "retrieval/documents/utf8.h"

namespace parley::retrieval::documents {

namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "=C3" at `at`; -1: no hexadecimal digits there.
int escaped_byte(std::string_view text, std::size_t at) {
  if (at + 2 >= text.size()) return -1;
  const int high = hex_digit(text[at + 1]), low = hex_digit(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

// Where the line ends that was broken at `at` only for its length; 0: it was not.
std::size_t soft_break_end(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 1000;  // blanks may have been put behind the mark
  const std::size_t end = text.substr(at, kLongest).find('\n');
  if (end == text.npos || !is_blank(without_return(text.substr(at + 1, end - 1)))) return 0;
  return at + end;
}

std::string decoded_quoted_printable(std::string_view text, bool in_header) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '_' && in_header) {
      bytes += ' ';
    } else if (const int byte = c == '=' ? escaped_byte(text, at) : -1; byte >= 0) {
      bytes += static_cast<char>(byte);
      at += 2;
    } else if (const std::size_t end = c == '=' ? soft_break_end(text, at) : 0; end > 0) {
      at = end;
    } else {
      bytes += c;
    }
  }
  return bytes;
}

std::string to_utf8(const std::string& bytes, std::string_view charset) {
  constexpr std::size_t kMaxHeader = 1 << 20;
  const std::string name = canonical_charset(charset);
  if (!name.empty() && name != "UTF-8") {
    if (std::optional<ConvertedText> converted = convert_to_utf8(bytes, name, kMaxHeader))
      return converted->utf8;
  }
  return is_valid_utf8(bytes) ? bytes : repaired_utf8(bytes);
}

struct EncodedWord {
  std::size_t length = 0;  // 0: there is none
  std::string charset;
  std::string bytes;
};

EncodedWord encoded_word_at(std::string_view value, std::size_t begin) {
  EncodedWord word;
  // RFC 2047 allows 75 characters; a bound keeps a header full of beginnings from being searched again and
  // again.
  constexpr std::size_t kLongest = 1000;
  const std::string_view text = value.substr(begin, kLongest);
  const std::size_t charset_end = text.find('?', 2);
  if (charset_end == text.npos || charset_end + 2 >= text.size() || text[charset_end + 2] != '?') return word;
  const std::size_t end = text.find("?=", charset_end + 3);
  if (end == text.npos) return word;
  const std::string_view charset = text.substr(2, charset_end - 2);
  const std::string_view content = text.substr(charset_end + 3, end - charset_end - 3);
  if (content.find(' ') != content.npos || charset.find(' ') != charset.npos) return word;
  const char encoding = static_cast<char>(std::tolower(static_cast<unsigned char>(text[charset_end + 1])));
  if (encoding != 'b' && encoding != 'q') return word;
  word.bytes = encoding == 'b' ? decoded_base64(content) : decoded_quoted_printable(content, true);
  word.charset = charset.substr(0, charset.find('*'));  // a language may follow (RFC 2231)
  word.length = end + 2;
  return word;
}

// name*=utf-8''caf%C3%A9
std::string decoded_extended(std::string_view text) {
  const std::size_t first = text.find('\'');
  const std::size_t second = first == text.npos ? first : text.find('\'', first + 1);
  if (second == text.npos) return std::string(text);
  std::string bytes;
  for (std::size_t at = second + 1; at < text.size(); ++at) {
    const int byte = text[at] == '%' ? escaped_byte(text, at) : -1;
    bytes += byte >= 0 ? static_cast<char>(byte) : text[at];
    if (byte >= 0) at += 2;
  }
  return to_utf8(bytes, text.substr(0, first));
}

// A parameter's value at `at`, quoted or not; moves behind it.
std::string parameter_value(std::string_view text, std::size_t& at) {
  std::string value;
  if (at >= text.size() || text[at] != '"') {
    const std::size_t end = std::min(text.find(';', at), text.size());
    value = trimmed(text.substr(at, end - at));
    at = end;
    return value;
  }
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    value += text[at];
  }
  at = std::min(text.find(';', at), text.size());
  return value;
}

}  // namespace

std::string_view MailEntity::header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const MailHeader& header) { return header.name == name; });
  return found == headers.end() ? std::string_view() : std::string_view(found->value);
}

MailEntity parse_entity(std::string_view bytes) {
  constexpr std::size_t kMaxHeaders = 1000;
  MailEntity entity;
  std::size_t at = 0;
  while (at < bytes.size()) {
    const TextLine line = line_at(bytes, at);
    const std::string_view words = without_return(text_of(bytes, line));
    at = line.next;
    if (words.empty()) break;
    const bool folded = words[0] == ' ' || words[0] == '\t';
    if (folded && !entity.headers.empty()) {
      entity.headers.back().value += ' ';
      entity.headers.back().value += trimmed(words);
      continue;
    }
    const std::size_t colon = words.find(':');
    if (colon == words.npos || colon == 0 || entity.headers.size() >= kMaxHeaders) continue;
    entity.headers.push_back(
        {in_lower_case(trimmed(words.substr(0, colon))), std::string(trimmed(words.substr(colon + 1)))});
  }
  entity.body = bytes.substr(at);
  return entity;
}

std::string MailField::parameter(std::string_view name) const {
  const auto found = parameters.find(name);
  if (found != parameters.end()) return found->second;
  const auto extended = parameters.find(std::string(name) + "*");
  if (extended != parameters.end()) return decoded_extended(extended->second);
  // name*0=…; name*1=…; or, with percent signs, name*0*=…
  std::string joined;
  bool is_extended = false;
  constexpr int kMaxPieces = 100;
  for (int i = 0; i < kMaxPieces; ++i) {
    const std::string piece = std::string(name) + "*" + std::to_string(i);
    auto next = parameters.find(piece);
    if (next == parameters.end()) {
      next = parameters.find(piece + "*");
      is_extended = is_extended || next != parameters.end();
    }
    if (next == parameters.end()) break;
    joined += next->second;
  }
  return is_extended ? decoded_extended(joined) : joined;
}

MailField parse_field(std::string_view text) {
  MailField field;
  std::size_t at = std::min(text.find(';'), text.size());
  field.value = in_lower_case(trimmed(text.substr(0, at)));
  constexpr std::size_t kMaxParameters = 200;
  while (at < text.size() && field.parameters.size() < kMaxParameters) {
    ++at;
    const std::size_t equals = text.find('=', at);
    if (equals == text.npos) break;
    const std::string name = in_lower_case(trimmed(text.substr(at, equals - at)));
    at = equals + 1;
    while (at < text.size() && is_space(text[at])) ++at;
    field.parameters.emplace(name, parameter_value(text, at));
  }
  return field;
}

std::string decoded_header(std::string_view value) {
  constexpr std::size_t kLongestShown = 64 << 10;
  value = value.substr(0, kLongestShown);
  std::string text;
  std::string pending, pending_charset;  // words of one charset belong together: they may cut a character
  const auto flush = [&] {
    text += to_utf8(pending, pending_charset);
    pending.clear();
  };
  bool after_word = false;
  for (std::size_t at = 0; at < value.size();) {
    EncodedWord word;
    std::size_t begin = at;
    // White space between two encoded words is not shown.
    if (after_word) begin = std::min(value.find_first_not_of(" \t", at), value.size());
    if (value.substr(begin).starts_with("=?")) word = encoded_word_at(value, begin);
    if (word.length > 0) {
      if (word.charset != pending_charset) flush();
      pending += word.bytes;
      pending_charset = word.charset;
      at = begin + word.length;
    } else {
      flush();
      pending_charset.clear();
      const std::size_t end = std::min(value.find("=?", at + 1), value.size());
      pending = value.substr(at, end - at);
      flush();
      at = end;
    }
    after_word = word.length > 0;
  }
  flush();
  std::string shown = normalised_text(text);
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  return shown;
}

std::string decoded_base64(std::string_view text) {
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (c == '=') break;
    const std::size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) continue;
    bits = (bits << 6) | static_cast<unsigned>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>((bits >> count) & 0xFF);
    }
  }
  return bytes;
}

std::string decoded_body(std::string_view body, std::string_view transfer_encoding) {
  const std::string name = in_lower_case(trimmed(transfer_encoding));
  if (name == "base64") return decoded_base64(body);
  if (name == "quoted-printable") return decoded_quoted_printable(body, false);
  return std::string(body);
}

std::vector<std::string_view> multipart_bodies(std::string_view body, const std::string& boundary,
                                               std::size_t max_parts) {
  std::vector<std::string_view> parts;
  const std::string mark = "--" + boundary;
  std::size_t begin = std::string_view::npos;
  for (TextLine line = line_at(body, 0); line.begin < body.size(); line = line_at(body, line.next)) {
    std::string_view words = text_of(body, line);
    if (!words.starts_with(mark)) continue;
    words = trimmed(without_return(words.substr(mark.size())));
    if (!words.empty() && words != "--") continue;
    if (begin != std::string_view::npos) parts.push_back(body.substr(begin, line.begin - begin));
    if (words == "--" || parts.size() >= max_parts) return parts;
    begin = line.next;
  }
  if (begin != std::string_view::npos && begin < body.size()) parts.push_back(body.substr(begin));
  return parts;
}

}  // namespace parley::retrieval::documents
