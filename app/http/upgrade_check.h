#pragma once
// Whether a GET asks for a WebSocket in the form that we take (RFC 6455, 4.2.1). A plain function, any
// thread; a refusal is a value that says what is missing.

#include <optional>

#include "app/http/request.h"
#include "app/http/response.h"

namespace parley::app::http {

std::optional<Refusal> check_upgrade(const RequestHead& head);

}  // namespace parley::app::http
