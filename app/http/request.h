#pragma once
// A request as handlers see it. Plain data, for one thread at a time; never fails.

#include <string>
#include <string_view>
#include <vector>

namespace parley::app::http {

struct Field {
  std::string name;
  std::string value;
};

struct RequestHead {
  std::string method;
  std::string target;  // as sent
  std::string path;    // target up to the '?', not decoded
  bool http_1_0 = false;
  std::vector<Field> fields;

  // First field of that name, in any case; nullptr: none.
  const std::string* find(std::string_view name) const;
};

struct Request {
  RequestHead head;
  std::string body;
};

bool equal_ignoring_case(std::string_view a, std::string_view b);  // ASCII
std::string to_lower(std::string_view text);                       // ASCII

// Whether a comma-separated field value (Connection, Accept-Encoding) holds `token`, in any case; parameters
// after ';' are ignored.
bool has_token(std::string_view list, std::string_view token);

}  // namespace parley::app::http
