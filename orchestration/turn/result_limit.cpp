#include "orchestration/turn/result_limit.h"

#include <algorithm>

#include "orchestration/tools/builtin_names.h"
#include "orchestration/tools/clean_output.h"

namespace parley::orchestration::turn {
namespace {

constexpr std::size_t kContextShare = 8;  // the results of a round take one part of so many

}  // namespace

std::size_t result_tokens(const tools::ToolLimits& limits, int max_context, std::size_t num_calls) {
  const auto allowed = static_cast<std::size_t>(std::max(limits.result_tokens, 1));
  if (max_context <= 0) return allowed;
  const std::size_t share =
      static_cast<std::size_t>(max_context) / kContextShare / std::max<std::size_t>(num_calls, 1);
  return std::min(allowed, std::max(share, kLeastResultTokens));
}

std::string where_rest_of(std::string_view call) {
  return "(" + std::string(tools::kOutputReader) + " with id \"" + std::string(call) +
         "\" reads the whole text.)";
}

bool fits(std::string_view text, const ResultLimit& limit) {
  return text.size() <= limit.tokens || limit.count(text) <= limit.tokens;  // a token is a byte at least
}

std::string shortened_result(const std::string& text, const ResultLimit& limit) {
  const std::string note = limit.where_rest.empty() ? "" : "\n" + limit.where_rest;
  std::string whole = text;
  if (!note.empty() && whole.ends_with(note)) whole.resize(whole.size() - note.size());
  if (fits(whole, limit)) return text;
  std::size_t tokens = limit.count(whole);
  std::size_t bytes = whole.size();
  std::string part;
  while (tokens > limit.tokens && bytes > 0) {
    const double share = static_cast<double>(limit.tokens) / static_cast<double>(tokens);
    bytes = static_cast<std::size_t>(static_cast<double>(bytes) * share * 0.95);
    part = tools::head_and_tail(whole, bytes).text;
    tokens = limit.count(part);
    if (bytes < 64) break;  // the line between head and tail is longer than that
  }
  return part + note;
}

}  // namespace parley::orchestration::turn
