#pragma once
// The fields that keep a browser from running, framing or leaking what we send. A plain function, any thread;
// never fails.

#include <string_view>
#include <vector>

#include "app/http/request.h"

namespace parley::app::http {

// On every response. `host` is the checked Host of the request ("127.0.0.1:8080"), which the page may open
// WebSockets to; empty: none.
std::vector<Field> security_fields(std::string_view host);

}  // namespace parley::app::http
