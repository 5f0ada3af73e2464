#include "orchestration/prompt/stored_ids.h"

#include <algorithm>

#include "inference/tokenizer/utf8.h"
#include "orchestration/prompt/normalised_messages.h"
#include "orchestration/prompt/origins.h"

namespace parley::orchestration::prompt {
namespace {

using inference::tokenizer::is_character_border;
using inference::tokenizer::Tokenizer;

enum class SpecialTokens : bool { left_out, by_name };

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

// Of the text that the template shows for an answer, as much as its ids spell.
std::optional<Splice> spelled_splice(const Tokenizer& tokenizer, std::string_view text,
                                     const jinja::OriginRun& run, std::span<const std::int32_t> ids) {
  const auto prefix = match_ids(tokenizer, ids, text.substr(run.begin, run.end - run.begin));
  if (!prefix) return std::nullopt;
  return Splice{run.begin, run.begin + prefix->num_bytes, ids.first(prefix->num_ids)};
}

}  // namespace

bool is_stop(const Tokenizer& tokenizer, std::int32_t id) {
  const auto& stops = tokenizer.special_tokens().stops;
  return std::find(stops.begin(), stops.end(), id) != stops.end();
}

bool are_ids(const Tokenizer& tokenizer, std::span<const std::int32_t> ids) {
  return std::all_of(ids.begin(), ids.end(),
                     [&](std::int32_t id) { return id >= 0 && id < tokenizer.vocab_size(); });
}

std::optional<SpelledPrefix> match_ids(const Tokenizer& tokenizer, std::span<const std::int32_t> ids,
                                       std::string_view text) {
  if (!are_ids(tokenizer, ids)) return std::nullopt;
  const SpelledPrefix without_names = match(tokenizer, ids, text, SpecialTokens::left_out);
  const SpelledPrefix with_names = match(tokenizer, ids, text, SpecialTokens::by_name);
  const SpelledPrefix& longer = with_names.num_bytes > without_names.num_bytes ? with_names : without_names;
  return longer.num_bytes > 0 ? std::optional(longer) : std::nullopt;
}

std::optional<std::vector<Splice>> find_splices(const Tokenizer& tokenizer, const jinja::Rendered& rendered,
                                                const std::vector<ChatMessage>& messages,
                                                const Replays& replays) {
  const std::string_view text = rendered.text;
  const auto runs = single_runs(rendered, messages.size());
  std::vector<Splice> splices;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const ChatMessage& message = messages[i];
    if (i < replays.size() && !replays[i].empty()) {
      if (!runs[i] || text.substr(runs[i]->begin, runs[i]->end - runs[i]->begin) != kReplayedText) {
        return std::nullopt;
      }
      splices.push_back({runs[i]->begin, runs[i]->end, replays[i]});
    } else if (message.role == Role::assistant && !message.token_ids.empty() && runs[i]) {
      if (auto splice = spelled_splice(tokenizer, text, *runs[i], message.token_ids))
        splices.push_back(*splice);
    }
  }
  std::sort(splices.begin(), splices.end(),
            [](const Splice& a, const Splice& b) { return a.begin < b.begin; });
  return splices;
}

}  // namespace parley::orchestration::prompt
