#include "orchestration/turn/chat_preparation.h"

#include <algorithm>
#include <utility>

#include "inference/grammar/text_grammars.h"
#include "orchestration/jinja/template.h"
#include "orchestration/turn/call_grammar.h"
#include "orchestration/turn/call_writing.h"
#include "orchestration/turn/fitting_prompt.h"
#include "orchestration/turn/prompt_prefix.h"
#include "orchestration/turn/rejection.h"

namespace parley::orchestration::turn {
namespace {

namespace grammar = inference::grammar;

ChatRejection invalid_prompt(std::string message) {
  ChatRejection rejection;
  rejection.kind = ChatRejection::Kind::invalid_prompt;
  rejection.message = std::move(message);
  return rejection;
}

bool offers(const ToolOffer& offer, const std::string& name) {
  return std::any_of(offer.tools.begin(), offer.tools.end(),
                     [&name](const auto& tool) { return tool->spec().name == name; });
}

// A model that cannot call is not shown tools, unless a call is demanded: then the grammar makes it one.
bool drops_tools(const LocalModelCore& core, const ToolOffer& offer) {
  return core.parts().info.tool_profile == ToolProfile::none && offer.mode == ToolMode::usual &&
         !is_demanded(offer);
}

// Nothing holds the model to a call's form, or to one that is wanted.
bool is_left_alone(const ToolOffer& offer) {
  return offer.choice != ToolChoice::none && (offer.mode == ToolMode::raw || offer.mode == ToolMode::lenient);
}

ConstraintPointer constraint_of(const LocalModelCore& core, std::shared_ptr<const grammar::Grammar> rules) {
  return rules ? ConstraintPointer(grammar::make_constraint(std::move(rules), core.vocabulary())) : nullptr;
}

// Whether the prompt shows tools, so that calls without markers are to be expected as well.
enum class ShownTools : std::uint8_t { none, some };

ConstraintPointer calls_banned(const LocalModelCore& core, ShownTools shown) {
  const calls::CallFormat& format = *core.parts().reading.format;
  const std::string key = shown == ShownTools::some ? "no call: " : "no marker of calls: ";
  const auto make = [&] {
    grammar::BannedText banned;
    if (shown == ShownTools::some) banned.openings = call_openings(format);
    banned.anywhere = call_markers(format);
    return KeptConstraint{
        constraint_of(core, grammar::make_banned_text_grammar(std::move(banned), *core.vocabulary()))};
  };
  return core.constraints().get(key + format.name, make).constraint;
}

// Tools are part of the chat, though this answer is shown none: else its user may want to read about markers.
bool is_about_tools(const ChatRequest& request) {
  return request.tools.choice == ToolChoice::none ||
         std::any_of(request.messages.begin(), request.messages.end(),
                     [](const prompt::ChatMessage& message) { return !message.calls.empty(); });
}

KeptConstraint call_constraint(const LocalModelCore& core, const ToolOffer& offer,
                               calls::ReasoningStart start) {
  if (offer.choice == ToolChoice::none) return {calls_banned(core, ShownTools::some)};
  const CallReading& reading = core.parts().reading;
  return core.constraints().get(call_grammar_key(offer, reading, start), [&] {
    CallGrammar made = make_call_grammar(offer, reading, start, *core.vocabulary());
    return KeptConstraint{constraint_of(core, std::move(made.grammar)), std::move(made.unenforced)};
  });
}

// Tokens that end a turn where the family has calls, besides those of the vocabulary.
void add_call_ends(const LocalModelCore& core, std::vector<std::int32_t>& stop_ids) {
  const std::vector<std::string> names = call_ends(*core.parts().reading.format);
  if (names.empty()) return;
  const calls::MarkerVocabulary vocabulary = calls::marker_vocabulary(*core.parts().tokenizer);
  for (const std::string& name : names) {
    const auto id = vocabulary.id_of(name);
    if (id && std::find(stop_ids.begin(), stop_ids.end(), *id) == stop_ids.end()) stop_ids.push_back(*id);
  }
}

calls::CallDetection detection_of(const LocalModelCore& core, const ToolOffer& offer) {
  if (offer.tools.empty() || offer.choice == ToolChoice::none) return calls::CallDetection::off;
  if (offer.mode == ToolMode::raw) return calls::CallDetection::native;
  return is_demanded(offer) ? calls::CallDetection::lenient : core.parts().reading.detection;
}

ReadingPlan reading_plan(const LocalModelCore& core, const ChatRequest& request,
                         calls::ReasoningStart start) {
  ReadingPlan plan;
  plan.detection = detection_of(core, request.tools);
  plan.start = start;
  const bool may_reason =
      core.parts().reading.reasoning == Reasoning::possible || start != calls::ReasoningStart::model_opens;
  plan.is_parsed = plan.detection != calls::CallDetection::off || may_reason;
  if (request.format.kind != OutputFormat::Kind::free) plan.is_parsed = false;  // enforced from the beginning
  if (plan.detection == calls::CallDetection::off) return plan;
  if (!request.tools.parallel) plan.calls = CallLimit::one;
  for (const auto& tool : request.tools.tools) {
    plan.tools.push_back({tool->spec().name, tool->spec().parameters});
  }
  return plan;
}

std::variant<PreparedAnswer, ChatRejection> prepare(const LocalModelCore& core, const ChatRequest& request) {
  const bool is_weak = core.parts().info.tool_profile != ToolProfile::native;
  FittingOptions fitting;
  fitting.max_context = core.max_context();
  fitting.results = is_weak ? prompt::ResultForm::restated_question : prompt::ResultForm::of_template;
  fitting.count = [&core](std::string_view text) { return core.parts().tokenizer->encode(text).size(); };
  auto built = build_fitting_prompt(*core.parts().prompts, request, fitting);
  if (const auto* too_long = std::get_if<prompt::PromptTooLong>(&built)) {
    return prompt_too_long(too_long->limit, too_long->actual);
  }
  PreparedAnswer answer;
  answer.prompt = std::get<prompt::Prompt>(std::move(built));
  answer.stop_ids = core.parts().tokenizer->special_tokens().stops;
  add_call_ends(core, answer.stop_ids);
  const calls::ReasoningStart start = answer.prompt.reasoning_start;
  answer.reading = reading_plan(core, request, start);
  if (request.format.kind != OutputFormat::Kind::free) {
    auto constraint = make_output_constraint(request.format, core.vocabulary());
    if (auto* rejection = std::get_if<ChatRejection>(&constraint)) return std::move(*rejection);
    answer.constraint = std::get<ConstraintPointer>(std::move(constraint));
  } else if (!request.tools.tools.empty()) {
    if (!is_left_alone(request.tools)) {
      KeptConstraint kept = call_constraint(core, request.tools, start);
      answer.constraint = std::move(kept.constraint);
      answer.unenforced = std::move(kept.unenforced);
    }
    if (answer.reading.detection == calls::CallDetection::lenient) {
      answer.calls_banned = calls_banned(core, ShownTools::some);
    }
  } else if (is_about_tools(request)) {
    answer.constraint = calls_banned(core, ShownTools::none);
  }
  return answer;
}

std::variant<PreparedRoute, ChatRejection> prepare_route(const LocalModelCore& core,
                                                         const ChatRequest& request) {
  prompt::PromptRequest question;
  question.messages = router_messages(request);
  question.max_prompt_tokens = core.max_context() - 1;
  auto built = core.parts().prompts->build(question);
  if (const auto* too_long = std::get_if<prompt::PromptTooLong>(&built)) {
    ChatRejection rejection = prompt_too_long(too_long->limit, too_long->actual);
    rejection.message += " Or switch off some tools: their names and descriptions alone take this much.";
    return rejection;
  }
  PreparedRoute route;
  route.prompt = std::get<prompt::Prompt>(std::move(built));
  const std::vector<std::string> choices = router_choices(request.tools);
  std::string key = "router:";
  for (const std::string& choice : choices) key += " " + choice;
  const auto make = [&] {
    return KeptConstraint{constraint_of(core, grammar::make_choice_grammar(choices))};
  };
  route.constraint = core.constraints().get(key, make).constraint;
  return route;
}

std::variant<PreparedChat, ChatRejection> prepare_routed(const LocalModelCore& core,
                                                         const ChatRequest& request) {
  auto route = prepare_route(core, request);
  if (auto* rejection = std::get_if<ChatRejection>(&route)) return std::move(*rejection);
  auto answer = prepare(core, request_for_prose(request));
  if (auto* rejection = std::get_if<ChatRejection>(&answer)) return std::move(*rejection);
  PreparedChat chat;
  chat.route = std::get<PreparedRoute>(std::move(route));
  chat.answer = std::get<PreparedAnswer>(std::move(answer));
  return chat;
}

// A template that refuses a conversation is an expected outcome here.
template <typename F>
std::invoke_result_t<F> refusals_told(const F& work) {
  try {
    return work();
  } catch (const jinja::TemplateError& error) {
    return invalid_prompt(std::string("The model's chat template refuses this conversation: ") +
                          error.what());
  }
}

}  // namespace

std::variant<PreparedAnswer, ChatRejection> prepare_answer(const LocalModelCore& core,
                                                           const ChatRequest& request) {
  return refusals_told([&] { return prepare(core, request); });
}

std::variant<PreparedChat, ChatRejection> prepare_chat(const LocalModelCore& core,
                                                       const ChatRequest& request) {
  const ToolOffer& offer = request.tools;
  if (offer.choice == ToolChoice::named && !offers(offer, offer.named)) {
    return invalid_prompt("The tool " + offer.named + " is to be called, but is not among the tools.");
  }
  if (!offer.tools.empty() && drops_tools(core, offer)) {
    ChatRequest without = request;
    without.tools = ToolOffer();
    without.tools.choice = ToolChoice::none;
    return prepare_chat(core, without);
  }
  if (needs_router(core.parts().info, request)) {
    return refusals_told([&] { return prepare_routed(core, request); });
  }
  auto answer = prepare_answer(core, request);
  if (auto* rejection = std::get_if<ChatRejection>(&answer)) return std::move(*rejection);
  PreparedChat chat;
  chat.answer = std::get<PreparedAnswer>(std::move(answer));
  return chat;
}

// What a template refuses, the question will be told.
std::vector<std::int32_t> prepare_read_ahead(const LocalModelCore& core, const ChatRequest& request) {
  ChatRequest asked = request;
  if (drops_tools(core, request.tools)) asked.tools.tools.clear();
  try {
    return question_prefix(*core.parts().prompts, core.parts().info, asked, core.max_context());
  } catch (const jinja::TemplateError&) {
    return {};
  }
}

PreparedAnswer prepare_completion(const LocalModelCore& core, const CompletionRequest& request) {
  PreparedAnswer answer;
  const auto& tokenizer = *core.parts().tokenizer;
  const auto& special = tokenizer.special_tokens();
  answer.stop_ids = special.stops;
  std::vector<std::int32_t>& prompt = answer.prompt.ids;
  if (const auto* ids = std::get_if<std::vector<std::int32_t>>(&request.prompt)) {
    prompt = *ids;
    return answer;
  }
  if (special.add_bos && special.bos) prompt.push_back(*special.bos);
  const auto encoded = tokenizer.encode(std::get<std::string>(request.prompt));
  prompt.insert(prompt.end(), encoded.begin(), encoded.end());
  return answer;
}

}  // namespace parley::orchestration::turn
