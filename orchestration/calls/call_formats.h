#pragma once
// The families whose tool calls we read, and which of them a model is of. The table is built once and is
// immutable, any thread. Never fails: a template of no known family gets the generic format.

#include <span>
#include <string_view>

#include "orchestration/calls/call_format.h"

namespace parley::orchestration::calls {

// In the order in which templates are compared with them: a later row's marks may stand in the templates of
// an earlier one.
std::span<const CallFormat> call_formats();

// By name, for the configuration; nullptr if there is none.
const CallFormat* find_call_format(std::string_view name);

// The format of a chat template, by the markers in its source; nullptr if it has none of ours.
const CallFormat* format_of_template(std::string_view template_source);

// For templates that know no tools. It is Hermes': the system text lists the tools, one JSON object a line,
// between <tools> and </tools>, and asks for
//   <tool_call>
//   {"name": <function-name>, "arguments": <args-json-object>}
//   </tool_call>
// with one such block per call; results come back as <tool_response>…</tool_response> in a user turn.
const CallFormat& generic_call_format();

}  // namespace parley::orchestration::calls
