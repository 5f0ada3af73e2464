#pragma once
// An argument of a call as text: for a command line, an address, a form, a built-in. Pure, any thread; never
// fails.

#include <string>

#include "inference/json/json.h"

namespace parley::orchestration::tools {

// A string as it is, anything else as JSON; a whole number without a fraction or an exponent.
std::string argument_text(const inference::json::JsonValue& value);

}  // namespace parley::orchestration::tools
