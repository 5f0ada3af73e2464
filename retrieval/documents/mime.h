#pragma once
// Internet messages (RFC 5322) and their parts (MIME, RFC 2045 to 2047, 2231). Pure functions, any thread.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace parley::retrieval::documents {

struct MailHeader {
  std::string name;   // in lower case
  std::string value;  // unfolded, bytes as they stand
};

struct MailEntity {
  std::vector<MailHeader> headers;
  std::string_view body;
  // The first of that name (in lower case); empty: none.
  std::string_view header(std::string_view name) const;
};

// Headers to the first blank line, then the body. At most 1,000 headers are kept.
MailEntity parse_entity(std::string_view bytes);

// "text/plain; charset=utf-8": the value in lower case, and its parameters by name in lower case.
struct MailField {
  std::string value;
  std::map<std::string, std::string, std::less<>> parameters;
  std::string parameter(std::string_view name) const;
};
MailField parse_field(std::string_view text);

// Encoded words (=?utf-8?B?…?=) and raw bytes to UTF-8.
std::string decoded_header(std::string_view value);
// By Content-Transfer-Encoding; an unknown one leaves the bytes as they are.
std::string decoded_body(std::string_view body, std::string_view transfer_encoding);
std::string decoded_base64(std::string_view text);

// Between the lines "--boundary"; at most `max_parts`.
std::vector<std::string_view> multipart_bodies(std::string_view body, const std::string& boundary,
                                               std::size_t max_parts);

}  // namespace parley::retrieval::documents
