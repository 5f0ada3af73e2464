#pragma once
// Strict checks of a request head, before the library's parser sees it: Beast 1.81 takes lines that end in a
// bare LF, two framings at once, chunked bodies in HTTP/1.0 and several Hosts, on which servers and proxies
// have disagreed to the attacker's gain. Plain functions, any thread; a refusal is a value.

#include <optional>
#include <string_view>

#include "app/http/request.h"
#include "app/http/response.h"

namespace parley::app::http {

// Of a whole head (HeadScanner finds its end): request line and each field's form.
std::optional<Refusal> check_head_text(std::string_view head);

// Of a parsed head: Host, how the body is framed, what is said twice, what we do not do.
std::optional<Refusal> check_fields(const RequestHead& head);

}  // namespace parley::app::http
