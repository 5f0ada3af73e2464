#pragma once
// Answers whose generated ids stand in the prompt as they are: those with calls or reasoning, whose text need
// not spell them. Re-rendered they could differ, and the cached prefix would be lost. Pure functions, any
// thread. Never fail: what is in doubt is rendered.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/jinja/template.h"
#include "orchestration/prompt/chat_message.h"
#include "orchestration/prompt/template_capabilities.h"

namespace parley::orchestration::prompt {

// For each message the ids that stand for it; empty: it is rendered. Views of the messages.
using Replays = std::vector<std::span<const std::int32_t>>;

// The ids of an answer with calls or reasoning, without the end of the turn, up to where its text ends.
// Absent when they are not this model's, or spell another answer.
std::optional<std::span<const std::int32_t>> answer_ids(const inference::tokenizer::Tokenizer& tokenizer,
                                                        const ChatMessage& answer);

// Reasoning before the last question is replayed only where the template would keep it there.
Replays find_replays(const inference::tokenizer::Tokenizer& tokenizer,
                     const std::vector<ChatMessage>& messages, const TemplateCapabilities& can);

// For NormaliseOptions.
std::vector<bool> which(const Replays& replays);

// The same rendering with `lead` before each answer that is replayed: what the prompt had written of it.
jinja::Rendered with_lead(const jinja::Rendered& rendered, const Replays& replays, std::string_view lead);

}  // namespace parley::orchestration::prompt
