#pragma once
// A conversation brought into the form that a template can show: roles it does not know, calls it would drop
// or refuse, ids it does not like, results that are missing. Decided by the template's capabilities only.
// Pure functions, any thread. Never fail: every conversation has a form.

#include <string_view>
#include <vector>

#include "orchestration/jinja/value.h"
#include "orchestration/prompt/chat_message.h"
#include "orchestration/prompt/message_part.h"
#include "orchestration/prompt/prompt_builder.h"
#include "orchestration/prompt/template_capabilities.h"

namespace parley::orchestration::prompt {

// Text of an answer that is replayed: its generated ids take its place.
inline constexpr std::string_view kReplayedText = "qzreplayed";

struct NormaliseOptions {
  jinja::Value tools = jinja::Value::none();  // a list, or none
  ResultForm results = ResultForm::of_template;
  std::vector<bool> replayed = {};  // by message; empty: none
};

// Results come in the order of their calls. A call without a result is given one that says so, if the
// conversation goes on behind it; a result without a call is a message of the user.
MessageParts normalise(const std::vector<ChatMessage>& messages, const TemplateCapabilities& can,
                       const NormaliseOptions& options);

}  // namespace parley::orchestration::prompt
