#include "orchestration/prompt/prompt_builder.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>
#include <utility>

#include "orchestration/jinja/parse_json.h"
#include "orchestration/prompt/chat_template.h"
#include "orchestration/prompt/encoded_prompt.h"
#include "orchestration/prompt/history_fitter.h"
#include "orchestration/prompt/stored_ids.h"
#include "orchestration/prompt/turns.h"

namespace parley::orchestration::prompt {
namespace {

using inference::tokenizer::Tokenizer;

std::size_t longest_token(const Tokenizer& tokenizer) {
  std::size_t longest = 1;
  for (int id = 0; id < tokenizer.vocab_size(); ++id)
    longest = std::max(longest, tokenizer.token_bytes(id).size());
  return longest;
}

std::vector<std::size_t> begins_of_messages(const jinja::Rendered& rendered, std::size_t num_messages) {
  std::vector<std::size_t> begins(num_messages, std::string_view::npos);
  for (const jinja::OriginRun& run : rendered.runs) {
    if (run.origin < origin_of_message(0) || run.origin >= origin_of_message(num_messages)) continue;
    std::size_t& begin = begins[run.origin - origin_of_message(0)];
    begin = std::min(begin, run.begin);
  }
  return begins;
}

jinja::Value parse_tools(std::string_view tools_json) {
  if (tools_json.empty()) return jinja::Value::none();
  auto tools = jinja::parse_json(tools_json, kToolsOrigin);
  if (!tools) {
    throw std::invalid_argument(
        "The tools are not valid JSON, or nest deeper than 128 levels. Give an array of tool descriptions.");
  }
  if (!tools->is(jinja::Value::Kind::list)) {
    throw std::invalid_argument("The tools are JSON of type " + std::string(jinja::type_name(*tools)) +
                                ". Give an array of tool descriptions: [{\"type\": \"function\", …}].");
  }
  return *std::move(tools);
}

class TemplatePromptBuilder : public PromptBuilder {
 public:
  TemplatePromptBuilder(std::string_view template_source, const Tokenizer& tokenizer)
      : tokenizer_(tokenizer),
        template_(template_source, tokenizer),
        longest_token_(longest_token(tokenizer)) {}

  std::variant<Prompt, PromptTooLong> build(const PromptRequest& request) const override {
    assert(!request.continue_last ||
           (!request.messages.empty() && request.messages.back().role == Role::assistant));
    const auto max_tokens = static_cast<std::size_t>(std::max(request.max_prompt_tokens, 0));
    if (request.overflow == Overflow::refuse) {
      EncodedPrompt encoded = make_prompt(request.messages, request.continue_last).encoded;
      if (encoded.ids.size() <= max_tokens) return to_prompt(std::move(encoded), 0);
      return PromptTooLong{request.max_prompt_tokens, static_cast<int>(encoded.ids.size())};
    }
    const Turns turns(request.messages);
    const HistoryFitter::MakePrompt make = [&](std::size_t num_left_out) {
      return make_prompt(turns.without_oldest(num_left_out), request.continue_last);
    };
    return HistoryFitter(tokenizer_, turns, make, max_tokens).fit(hopeless_turns(turns, max_tokens));
  }

  std::string render(const std::vector<ChatMessage>& messages, std::string_view tools_json,
                     GenerationPrompt generation_prompt) const override {
    return template_.render(messages, parse_tools(tools_json), generation_prompt).text;
  }

 private:
  TrialPrompt make_prompt(std::vector<ChatMessage> messages, bool continue_last) const {
    const std::size_t num_messages = messages.size();
    ChatMessage answer;
    if (continue_last) {
      answer = std::move(messages.back());
      messages.pop_back();
    }
    const jinja::Rendered rendered =
        continue_last && messages.empty()
            ? render_before(answer)
            : template_.render(messages, jinja::Value::none(), GenerationPrompt::present);
    TrialPrompt trial;
    trial.encoded = encode_prompt(tokenizer_, rendered, find_splices(tokenizer_, rendered, messages));
    if (continue_last) append_answer(tokenizer_, answer, trial.encoded);
    trial.message_begins = begins_of_messages(rendered, num_messages);
    return trial;
  }

  // What the template writes before an answer that is the whole conversation: the default system text of many
  // stands before the first message only, so the answer is rendered and cut off again.
  jinja::Rendered render_before(const ChatMessage& answer) const {
    jinja::Rendered rendered = template_.render({answer}, jinja::Value::none(), GenerationPrompt::absent);
    const std::size_t begin = begins_of_messages(rendered, 1).front();
    if (begin == std::string_view::npos) {
      return template_.render({}, jinja::Value::none(), GenerationPrompt::present);
    }
    rendered.text.resize(begin);
    std::erase_if(rendered.runs, [begin](const jinja::OriginRun& run) { return run.begin >= begin; });
    return rendered;
  }

  // Oldest turns that cannot fit however well they compress, so that no huge history is rendered to find that
  // out.
  std::size_t hopeless_turns(const Turns& turns, std::size_t max_tokens) const {
    std::size_t room = max_tokens * longest_token_;
    for (std::size_t turn = turns.count(); turn-- > 0;) {
      const std::size_t bytes = turns.num_bytes(turn);
      if (bytes > room) return std::min(turn + 1, turns.count() - 1);
      room -= bytes;
    }
    return 0;
  }

  const Tokenizer& tokenizer_;
  ChatTemplate template_;
  std::size_t longest_token_;
};

}  // namespace

std::unique_ptr<PromptBuilder> make_prompt_builder(std::string_view template_source,
                                                   const Tokenizer& tokenizer) {
  return std::make_unique<TemplatePromptBuilder>(template_source, tokenizer);
}

}  // namespace parley::orchestration::prompt
