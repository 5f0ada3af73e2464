#include "orchestration/prompt/prompt_builder.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "orchestration/jinja/parse_json.h"
#include "orchestration/prompt/answer_places.h"
#include "orchestration/prompt/chat_template.h"
#include "orchestration/prompt/encoded_prompt.h"
#include "orchestration/prompt/history_fitter.h"
#include "orchestration/prompt/origins.h"
#include "orchestration/prompt/replay.h"
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

// In OpenAI's form. A schema that is not a JSON object is left out.
jinja::Value describe_tools(const std::vector<ToolDescription>& tools) {
  if (tools.empty()) return jinja::Value::none();
  const auto data = [](const std::string& text) { return jinja::Value::text(text, kToolsOrigin); };
  jinja::ValueList list;
  for (const ToolDescription& tool : tools) {
    jinja::Dict function;
    function.set("name", data(tool.name));
    function.set("description", data(tool.description));
    auto parameters = jinja::parse_json(tool.parameters_json, kToolsOrigin);
    if (parameters && parameters->is(jinja::Value::Kind::dict))
      function.set("parameters", *std::move(parameters));
    jinja::Dict entry;
    entry.set("type", jinja::Value::text("function", jinja::kTemplateOrigin));
    entry.set("function", jinja::Value::dict(std::move(function)));
    list.push_back(jinja::Value::dict(std::move(entry)));
  }
  return jinja::Value::list(std::move(list));
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
    const jinja::Value tools = describe_tools(request.tools);
    if (request.overflow == Overflow::refuse) {
      EncodedPrompt encoded = make_prompt(request.messages, request, tools).encoded;
      if (encoded.ids.size() <= max_tokens) return to_prompt(std::move(encoded), 0);
      return PromptTooLong{request.max_prompt_tokens, static_cast<int>(encoded.ids.size())};
    }
    const Turns turns(request.messages);
    const HistoryFitter::MakePrompt make = [&](std::size_t num_left_out) {
      return make_prompt(turns.without_oldest(num_left_out), request, tools);
    };
    return HistoryFitter(tokenizer_, turns, make, max_tokens).fit(hopeless_turns(turns, max_tokens));
  }

  std::string render(const std::vector<ChatMessage>& messages, std::string_view tools_json,
                     GenerationPrompt generation_prompt) const override {
    NormaliseOptions options;
    options.tools = parse_tools(tools_json);
    return template_.render(messages, options, generation_prompt).text;
  }

 private:
  TrialPrompt make_prompt(std::vector<ChatMessage> messages, const PromptRequest& request,
                          const jinja::Value& tools) const {
    const std::size_t num_messages = messages.size();
    ChatMessage answer;
    if (request.continue_last) {
      answer = std::move(messages.back());
      messages.pop_back();
    }
    NormaliseOptions options{tools, request.results, {}};
    TrialPrompt trial = request.continue_last && messages.empty()
                            ? trial_of(render_before(answer, options), messages, {}).value_or(TrialPrompt())
                            : replay(messages, options);
    trial.encoded.reasoning_start = template_.capabilities().reasoning_start;
    if (request.continue_last) append_answer(tokenizer_, answer, template_.capabilities(), trial.encoded);
    trial.message_begins.resize(num_messages, std::string_view::npos);
    return trial;
  }

  // With generated ids in place of answers where they can stand for them.
  TrialPrompt replay(const std::vector<ChatMessage>& messages, NormaliseOptions& options) const {
    Replays replays = find_replays(tokenizer_, messages, template_.capabilities());
    const std::vector<std::size_t> by_place = take_placed(messages, replays);
    options.replayed = which(replays);
    jinja::Rendered rendered = render(messages, options, replays, GenerationPrompt::present);
    if (!by_place.empty()) put_in_place(messages, options, by_place, replays, rendered);
    if (auto trial = trial_of(rendered, messages, replays)) return *std::move(trial);
    options.replayed.clear();
    return trial_of(render(messages, options, {}, GenerationPrompt::present), messages, {})
        .value_or(TrialPrompt());
  }

  // Takes out of `replays` the answers for which no text can stand.
  std::vector<std::size_t> take_placed(const std::vector<ChatMessage>& messages, Replays& replays) const {
    constexpr std::size_t kMaxPlaced = 32;  // each costs three renderings; those behind them are rendered
    std::vector<std::size_t> placed;
    if (template_.capabilities().replays_answers) return placed;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (messages[i].calls.empty() || replays[i].empty()) continue;
      if (placed.size() < kMaxPlaced) placed.push_back(i);
      replays[i] = {};
    }
    return placed;
  }

  void put_in_place(const std::vector<ChatMessage>& messages, const NormaliseOptions& options,
                    const std::vector<std::size_t>& answers, Replays& replays,
                    jinja::Rendered& rendered) const {
    const Replays as_text = replays;
    const RenderFirst render_first = [&](std::size_t count,
                                         GenerationPrompt form) -> std::optional<jinja::Rendered> {
      try {
        const std::vector<ChatMessage> first(messages.begin(),
                                             messages.begin() + static_cast<std::ptrdiff_t>(count));
        return render(first, options, as_text, form);
      } catch (const jinja::TemplateError&) {
        return std::nullopt;  // a part of a conversation need not be one
      }
    };
    const std::vector<AnswerPlace> places = find_answer_places(tokenizer_, rendered, answers, render_first);
    if (places.empty()) return;
    rendered = with_places(rendered, places);
    const Replays all = find_replays(tokenizer_, messages, template_.capabilities());
    for (const AnswerPlace& place : places) replays[place.message] = all[place.message];
  }

  // With what the prompt had written before each answer that is replayed as text.
  jinja::Rendered render(const std::vector<ChatMessage>& messages, const NormaliseOptions& options,
                         const Replays& replays, GenerationPrompt generation_prompt) const {
    jinja::Rendered rendered = template_.render(messages, options, generation_prompt);
    const std::string& lead = template_.capabilities().answer_lead;
    return replays.empty() || lead.empty() ? rendered : with_lead(rendered, replays, lead);
  }

  // Absent when an answer does not stand where it could be replayed.
  std::optional<TrialPrompt> trial_of(const jinja::Rendered& rendered,
                                      const std::vector<ChatMessage>& messages,
                                      const Replays& replays) const {
    const auto splices = find_splices(tokenizer_, rendered, messages, replays);
    if (!splices) return std::nullopt;
    TrialPrompt trial;
    trial.encoded = encode_prompt(tokenizer_, rendered, *splices);
    trial.message_begins = begins_of_messages(rendered, messages.size());
    return trial;
  }

  // What the template writes before an answer that is the whole conversation: the default system text of many
  // stands before the first message only, so the answer is rendered and cut off again.
  jinja::Rendered render_before(const ChatMessage& answer, const NormaliseOptions& options) const {
    ChatMessage plain;
    plain.role = Role::assistant;
    plain.text = answer.text;
    jinja::Rendered rendered = template_.render({plain}, options, GenerationPrompt::absent);
    const std::size_t begin = begins_of_messages(rendered, 1).front();
    if (begin == std::string_view::npos) return template_.render({}, options, GenerationPrompt::present);
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
