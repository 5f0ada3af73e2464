#include "orchestration/prompt/stored_ids.h"

#include <algorithm>

#include "inference/tokenizer/utf8.h"
#include "orchestration/prompt/chat_template.h"

namespace parley::orchestration::prompt {
namespace {

using inference::tokenizer::is_character_border;
using inference::tokenizer::Tokenizer;

enum class SpecialTokens : bool { left_out, by_name };

bool is_stop(const Tokenizer& tokenizer, std::int32_t id) {
  const auto& stops = tokenizer.special_tokens().stops;
  return std::find(stops.begin(), stops.end(), id) != stops.end();
}

SpelledPrefix match(const Tokenizer& tokenizer, std::span<const std::int32_t> ids, std::string_view text,
                    SpecialTokens special_tokens) {
  SpelledPrefix prefix;
  SpelledPrefix whole;  // the last one that ends with a whole character
  for (const std::int32_t id : ids) {
    const bool silent = special_tokens == SpecialTokens::left_out && tokenizer.is_special(id);
    const bool ends = !silent || is_stop(tokenizer, id);  // the end of the turn is the template's to write
    if (prefix.num_bytes == text.size() && ends) break;
    const std::string_view bytes = silent ? std::string_view() : tokenizer.token_bytes(id);
    if (!text.substr(prefix.num_bytes).starts_with(bytes)) return whole;
    prefix.num_bytes += bytes.size();
    ++prefix.num_ids;
    if (!silent && is_character_border(text, prefix.num_bytes)) whole = prefix;
  }
  return prefix.num_bytes == whole.num_bytes ? prefix : whole;
}

// Where the text of each message stands; absent when it stands nowhere, or in several pieces.
std::vector<std::optional<jinja::OriginRun>> single_runs(const jinja::Rendered& rendered,
                                                         std::size_t num_messages) {
  std::vector<std::optional<jinja::OriginRun>> runs(num_messages);
  std::vector<int> counts(num_messages, 0);
  for (const jinja::OriginRun& run : rendered.runs) {
    if (run.origin < origin_of_message(0) || run.origin >= origin_of_message(num_messages)) continue;
    const std::size_t index = run.origin - origin_of_message(0);
    runs[index] = run;
    if (++counts[index] > 1) runs[index].reset();
  }
  return runs;
}

}  // namespace

std::optional<SpelledPrefix> match_ids(const Tokenizer& tokenizer, std::span<const std::int32_t> ids,
                                       std::string_view text) {
  const auto unknown = [&](std::int32_t id) { return id < 0 || id >= tokenizer.vocab_size(); };
  if (std::any_of(ids.begin(), ids.end(), unknown)) return std::nullopt;
  const SpelledPrefix without_names = match(tokenizer, ids, text, SpecialTokens::left_out);
  const SpelledPrefix with_names = match(tokenizer, ids, text, SpecialTokens::by_name);
  const SpelledPrefix& longer = with_names.num_bytes > without_names.num_bytes ? with_names : without_names;
  return longer.num_bytes > 0 ? std::optional(longer) : std::nullopt;
}

std::vector<Splice> find_splices(const Tokenizer& tokenizer, const jinja::Rendered& rendered,
                                 const std::vector<ChatMessage>& messages) {
  const std::string_view text = rendered.text;
  const auto runs = single_runs(rendered, messages.size());
  std::vector<Splice> splices;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const ChatMessage& message = messages[i];
    if (message.role != Role::assistant || message.token_ids.empty() || !runs[i]) continue;
    const std::size_t begin = runs[i]->begin;
    const auto prefix = match_ids(tokenizer, message.token_ids, text.substr(begin, runs[i]->end - begin));
    if (!prefix) continue;
    const std::span<const std::int32_t> ids(message.token_ids);
    splices.push_back({begin, begin + prefix->num_bytes, ids.first(prefix->num_ids)});
  }
  std::sort(splices.begin(), splices.end(),
            [](const Splice& a, const Splice& b) { return a.begin < b.begin; });
  return splices;
}

}  // namespace parley::orchestration::prompt
