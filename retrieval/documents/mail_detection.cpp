#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "retrieval/documents/format_detection.h"
#include "retrieval/documents/text_lines.h"

namespace parley::retrieval::documents {

namespace {

constexpr std::array<std::string_view, 14> kTellingHeaders = {
    "received", "message-id",  "mime-version", "return-path", "delivered-to", "from",       "subject",
    "date",     "in-reply-to", "reply-to",     "x-mailer",    "to",           "references", "content-type"};

// The name of a header field, in lower case; empty: the line is none.
std::string header_name(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || colon == 0) return "";
  std::string name(line.substr(0, colon));
  for (char& c : name) {
    if (c <= ' ' || static_cast<unsigned char>(c) > 126) return "";
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

// How many headers of mail are at the beginning, where nothing but headers may be; 0 as soon as something
// else is.
int count_mail_headers(std::string_view bytes) {
  constexpr int kMaxLines = 200;
  int telling = 0;
  TextLine line = line_at(bytes, 0);
  for (int i = 0; i < kMaxLines && line.begin < bytes.size(); ++i, line = line_at(bytes, line.next)) {
    std::string_view words = text_of(bytes, line);
    if (words.ends_with('\r')) words.remove_suffix(1);
    if (words.empty()) break;
    if (i > 0 && (words[0] == ' ' || words[0] == '\t')) continue;
    const std::string name = header_name(words);
    if (name.empty()) return 0;
    telling +=
        std::find(kTellingHeaders.begin(), kTellingHeaders.end(), name) != kTellingHeaders.end() ? 1 : 0;
  }
  return telling;
}

// "From jo@example.org Thu Mar  4 10:11:12 2004": an address and a time.
bool begins_mailbox(std::string_view bytes) {
  const TextLine line = line_at(bytes, 0);
  const std::string_view words = text_of(bytes, line);
  return words.starts_with("From ") && words.find(':') != words.npos &&
         count_mail_headers(bytes.substr(line.next)) >= 1;
}

bool has_ending(std::string_view name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  return std::equal(ending.begin(), ending.end(), name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

}  // namespace

DetectedFormat detect_mail(std::string_view bytes, std::string_view file_name) {
  if (begins_mailbox(bytes)) return {Format::mailbox, "application/mbox", ""};
  constexpr int kSure = 3;
  const int headers = count_mail_headers(bytes);
  const bool named = has_ending(file_name, ".eml") || has_ending(file_name, ".mbox");
  if (headers >= kSure || (named && headers >= 1)) return {Format::mail, "message/rfc822", ""};
  return {};
}

}  // namespace parley::retrieval::documents
