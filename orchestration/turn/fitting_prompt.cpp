#include "orchestration/turn/fitting_prompt.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/prompt/turns.h"

namespace parley::orchestration::turn {
namespace {

using prompt::Overflow;
using prompt::Prompt;
using prompt::PromptRequest;
using Built = std::variant<Prompt, prompt::PromptTooLong>;

constexpr int kUsualAnswerTokens = 1024;

// Tokens kept free for the answer, so that a long history does not cut it short at once.
int room_for_answer(int max_context, int max_tokens) {
  const int wanted = max_tokens > 0 ? max_tokens : kUsualAnswerTokens;
  return std::max(1, std::min(wanted, max_context / 4));
}

std::vector<prompt::ToolDescription> described(const ToolOffer& offer) {
  std::vector<prompt::ToolDescription> descriptions;
  for (const auto& tool : offer.tools) {
    const tools::ToolSpec& spec = tool->spec();
    descriptions.push_back({spec.name, spec.description, inference::json::to_json_text(spec.parameters)});
  }
  return descriptions;
}

class Fitter {
 public:
  Fitter(const prompt::PromptBuilder& builder, const ChatRequest& request, prompt::ResultForm results)
      : builder_(builder), turns_(request.messages) {
    all_.tools = described(request.tools);
    all_.results = results;
    all_.messages = request.messages;
    all_.continue_last = request.continue_last;
    all_.overflow = request.overflow;
  }

  int num_turns() const { return static_cast<int>(turns_.count()); }

  Built build(int room) const { return build(all_, room); }

  Built build_without_oldest(int turns, int room) const {
    PromptRequest request;
    request.tools = all_.tools;
    request.results = all_.results;
    request.messages = turns_.without_oldest(static_cast<std::size_t>(turns));
    request.continue_last = all_.continue_last;
    request.overflow = all_.overflow;
    Built built = build(std::move(request), room);
    if (auto* prompt = std::get_if<Prompt>(&built)) prompt->left_out_turns += turns;
    return built;
  }

 private:
  Built build(PromptRequest request, int room) const {
    request.max_prompt_tokens = room;
    return builder_.build(request);
  }

  const prompt::PromptBuilder& builder_;
  const prompt::Turns turns_;
  PromptRequest all_;
};

bool fits_leaving_out(const Built& built, int turns) {
  const auto* prompt = std::get_if<Prompt>(&built);
  return prompt != nullptr && prompt->left_out_turns == turns;
}

}  // namespace

Built build_fitting_prompt(const prompt::PromptBuilder& builder, const ChatRequest& request, int max_context,
                           prompt::ResultForm results) {
  const Fitter fitter(builder, request, results);
  const int whole_room = max_context - 1;
  if (request.overflow == Overflow::refuse) return fitter.build(whole_room);

  const int room = max_context - room_for_answer(max_context, request.options.max_tokens);
  Built everything = fitter.build(room);
  if (fits_leaving_out(everything, 0)) return everything;
  const int before = request.left_out_before;
  if (before > 0 && before < fitter.num_turns()) {
    Built as_before = fitter.build_without_oldest(before, room);
    if (fits_leaving_out(as_before, before)) return as_before;
  }
  Built roomy = fitter.build(room - room / 4);
  if (std::holds_alternative<Prompt>(roomy)) return roomy;
  if (std::holds_alternative<Prompt>(everything)) return everything;
  return fitter.build(whole_room);  // a short answer is better than none
}

}  // namespace parley::orchestration::turn
