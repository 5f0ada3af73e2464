#pragma once
// Generated ids of earlier answers, put where the template shows those answers' text. Pure functions, any
// thread, never fail: what does not match is not used.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/jinja/template.h"
#include "orchestration/prompt/chat_message.h"
#include "orchestration/prompt/replay.h"

namespace parley::orchestration::prompt {

// The first `num_ids` ids spell exactly the first `num_bytes` of a text.
struct SpelledPrefix {
  std::size_t num_ids = 0;
  std::size_t num_bytes = 0;
};

// As much of `text` as whole ids spell: up to where they differ (an edited text, an invalid part shown as
// U+FFFD), back to the last whole character there, or to where the text was cut inside a token (stop string,
// unfinished character). Special tokens may be missing in the text, as they are when it was shown, or stand
// there by name: what spells more is taken. Absent when no id fits, or one is no id of this model.
std::optional<SpelledPrefix> match_ids(const inference::tokenizer::Tokenizer& tokenizer,
                                       std::span<const std::int32_t> ids, std::string_view text);

// Bytes [begin, end) of a rendered prompt that `ids` stand for.
struct Splice {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::span<const std::int32_t> ids;  // of the message
};

// One for each answer that is replayed, and for each other one whose text the template shows in one piece
// that its ids spell; ascending. Absent when an answer to be replayed does not stand in the rendering.
std::optional<std::vector<Splice>> find_splices(const inference::tokenizer::Tokenizer& tokenizer,
                                                const jinja::Rendered& rendered,
                                                const std::vector<ChatMessage>& messages,
                                                const Replays& replays);

bool is_stop(const inference::tokenizer::Tokenizer& tokenizer, std::int32_t id);
bool are_ids(const inference::tokenizer::Tokenizer& tokenizer, std::span<const std::int32_t> ids);

}  // namespace parley::orchestration::prompt
