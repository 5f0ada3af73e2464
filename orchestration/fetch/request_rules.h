#pragma once
// What may be sent: methods and header fields that cannot forge a second message inside the first. Plain
// functions, any thread; never fails.

#include <string>
#include <string_view>
#include <vector>

#include "orchestration/fetch/fetch.h"

namespace parley::orchestration::fetch {

// A sentence that says what is wrong; empty when all may be sent.
std::string request_problem(const FetchRequest& request);

// RFC 9110's token: what names of methods and header fields consist of.
bool is_http_token(std::string_view text);

std::string lower_case(std::string_view text);

// The value of the first header of that name (in lower case); empty if there is none.
std::string_view header_value(const std::vector<Header>& headers, std::string_view name);

}  // namespace parley::orchestration::fetch
