#pragma once
// Tools, calls and results as plain text, for templates that cannot show them: the generic format of
// calls::generic_call_format(). The words and tags are the template's text, what they enclose is data.
// Pure functions, any thread. Never fail.

#include <string>
#include <string_view>
#include <vector>

#include "orchestration/jinja/value.h"
#include "orchestration/prompt/message_part.h"

namespace parley::orchestration::prompt {

// The end of the system text; `tools` is a list.
TextPieces tools_as_text(const jinja::Value& tools);

// An answer's prose with its calls behind it. Arguments stand as the model wrote them.
TextPieces calls_as_text(std::string_view prose, const std::vector<MessageCall>& calls, jinja::Origin origin);

// For a message of the user.
TextPieces result_as_text(std::string_view result, jinja::Origin origin);

}  // namespace parley::orchestration::prompt
