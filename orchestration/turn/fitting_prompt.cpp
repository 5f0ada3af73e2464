#include "orchestration/turn/fitting_prompt.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/prompt/turns.h"
#include "orchestration/tools/builtin_names.h"
#include "orchestration/turn/result_shortener.h"

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

// PromptTooLong: the newest turn alone is.
Built leave_out_oldest(const Fitter& fitter, int room, int left_out_before) {
  Built everything = fitter.build(room);
  const bool is_hopeless = std::holds_alternative<prompt::PromptTooLong>(everything);
  if (is_hopeless || fits_leaving_out(everything, 0)) return everything;
  if (left_out_before > 0 && left_out_before < fitter.num_turns()) {
    Built as_before = fitter.build_without_oldest(left_out_before, room);
    if (fits_leaving_out(as_before, left_out_before)) return as_before;
  }
  Built roomy = fitter.build(room - room / 4);
  if (std::holds_alternative<Prompt>(roomy)) return roomy;
  return everything;
}

ResultShortener::Reader reader_in(const ToolOffer& offer) {
  const bool is_offered = std::any_of(offer.tools.begin(), offer.tools.end(), [](const auto& tool) {
    return tool->spec().name == tools::kOutputReader;
  });
  return is_offered ? ResultShortener::Reader::offered : ResultShortener::Reader::absent;
}

// With as many of the newest turn's results shortened as it takes. `built` is what came of it before.
Built shorten_results(const prompt::PromptBuilder& builder, ChatRequest request, Built built,
                      const FittingOptions& options) {
  ResultShortener results(request.messages, options.count, reader_in(request.tools));
  while (const auto* too_long = std::get_if<prompt::PromptTooLong>(&built)) {
    const int room = too_long->limit;
    if (!results.save(static_cast<std::size_t>(too_long->actual - room))) break;
    built = leave_out_oldest(Fitter(builder, request, options.results), room, request.left_out_before);
  }
  return built;
}

}  // namespace

Built build_fitting_prompt(const prompt::PromptBuilder& builder, const ChatRequest& request,
                           const FittingOptions& options) {
  const Fitter fitter(builder, request, options.results);
  const int whole_room = options.max_context - 1;
  if (request.overflow == Overflow::refuse) return fitter.build(whole_room);

  const int room = options.max_context - room_for_answer(options.max_context, request.options.max_tokens);
  Built built = leave_out_oldest(fitter, room, request.left_out_before);
  if (std::holds_alternative<Prompt>(built)) return built;
  built = shorten_results(builder, request, std::move(built), options);
  if (std::holds_alternative<Prompt>(built)) return built;
  built = fitter.build(whole_room);  // a short answer is better than none
  return shorten_results(builder, request, std::move(built), options);
}

}  // namespace parley::orchestration::turn
