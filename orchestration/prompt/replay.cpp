#include "orchestration/prompt/replay.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "orchestration/prompt/origins.h"
#include "orchestration/prompt/stored_ids.h"

namespace parley::orchestration::prompt {
namespace {

using inference::tokenizer::Tokenizer;
using Ids = std::span<const std::int32_t>;

Ids without_end_of_turn(const Tokenizer& tokenizer, Ids ids) {
  while (!ids.empty() && is_stop(tokenizer, ids.back())) ids = ids.first(ids.size() - 1);
  return ids;
}

// Up to the end of the last place where `text` is spelled; absent when it is spelled nowhere, or ends inside
// a token.
std::optional<Ids> up_to_text(const Tokenizer& tokenizer, Ids ids, std::string_view text) {
  const std::string spelled = tokenizer.decode(ids, false);
  const std::size_t at = spelled.rfind(text);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t end = at + text.size();
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (; count < ids.size() && bytes < end; ++count) {
    if (!tokenizer.is_special(ids[count])) bytes += tokenizer.token_bytes(ids[count]).size();
  }
  if (bytes != end) return std::nullopt;
  return end == spelled.size() ? ids : ids.first(count);
}

bool names_all_calls(const Tokenizer& tokenizer, Ids ids, const std::vector<MessageCall>& calls) {
  const std::string spelled = tokenizer.decode(ids, true);
  return std::all_of(calls.begin(), calls.end(),
                     [&](const MessageCall& call) { return spelled.find(call.name) != std::string::npos; });
}

std::size_t last_question(const std::vector<ChatMessage>& messages) {
  for (std::size_t i = messages.size(); i-- > 0;) {
    if (messages[i].role == Role::user) return i;
  }
  return 0;
}

}  // namespace

std::optional<Ids> answer_ids(const Tokenizer& tokenizer, const ChatMessage& answer) {
  if (answer.calls.empty() && answer.reasoning.empty()) return std::nullopt;
  const Ids ids = without_end_of_turn(tokenizer, answer.token_ids);
  if (ids.empty() || !are_ids(tokenizer, ids)) return std::nullopt;
  if (!answer.calls.empty()) {
    return names_all_calls(tokenizer, ids, answer.calls) ? std::optional(ids) : std::nullopt;
  }
  return up_to_text(tokenizer, ids, answer.text.empty() ? answer.reasoning : answer.text);
}

Replays find_replays(const Tokenizer& tokenizer, const std::vector<ChatMessage>& messages,
                     const TemplateCapabilities& can) {
  Replays replays(messages.size());
  const std::size_t question = last_question(messages);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const ChatMessage& message = messages[i];
    const bool stays = message.calls.empty() || can.replays_answers || can.places_answers;
    if (message.role != Role::assistant || !stays) continue;
    const bool would_be_dropped = i < question && !message.reasoning.empty() && !can.reasoning_kept;
    if (!would_be_dropped) replays[i] = answer_ids(tokenizer, message).value_or(Ids());
  }
  return replays;
}

std::vector<bool> which(const Replays& replays) {
  std::vector<bool> replayed;
  replayed.reserve(replays.size());
  for (const Ids ids : replays) replayed.push_back(!ids.empty());
  return replayed;
}

jinja::Rendered with_lead(const jinja::Rendered& rendered, const Replays& replays, std::string_view lead) {
  jinja::TextBuilder builder;
  const std::string_view text = rendered.text;
  for (const jinja::OriginRun& run : rendered.runs) {
    const std::size_t message = run.origin - origin_of_message(0);  // wraps around for the template's own
    if (run.origin != jinja::kTemplateOrigin && message < replays.size() && !replays[message].empty()) {
      builder.append(lead, jinja::kTemplateOrigin);
    }
    builder.append(text.substr(run.begin, run.end - run.begin), run.origin);
  }
  jinja::Rendered longer;
  std::tie(longer.text, longer.runs) = builder.release();
  return longer;
}

}  // namespace parley::orchestration::prompt
