#pragma once
// How much of what tools give a model is given: the limit of a result, and a text within it. Plain functions,
// any thread; never fail.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "orchestration/tools/tools_file.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

// Whether somebody sees the images that a tool gives: the model does not, and is told.
enum class ImageUse : std::uint8_t { shown, left_out };

struct ResultLimit {
  std::size_t tokens = 2000;
  TokenCounter count = rough_token_count;
  std::string where_rest;  // a sentence that says how the model can read the rest; may be empty
  ImageUse images = ImageUse::shown;
};

// Nothing is shortened to less for want of room: there would be no sense in it.
inline constexpr std::size_t kLeastResultTokens = 64;

// Tokens of each result of a round of `num_calls`: what the file allows, and all of them together at most an
// eighth of the context, so that the question, several rounds and the answer have room beside them.
// `max_context` 0: it is not known.
std::size_t result_tokens(const tools::ToolLimits& limits, int max_context, std::size_t num_calls);

// ResultLimit::where_rest for a call whose output is kept.
std::string where_rest_of(std::string_view call);

bool fits(std::string_view text, const ResultLimit& limit);

// Head and tail of a text that does not fit, and `where_rest`, which comes on top of the limit. A text that
// was shortened before and has the same sentence has it once.
std::string shortened_result(const std::string& text, const ResultLimit& limit);

}  // namespace parley::orchestration::turn
