#include "orchestration/prompt/template_probe.h"

#include <algorithm>
#include <utility>

#include "orchestration/prompt/normalised_messages.h"
#include "orchestration/prompt/probe_renderer.h"
#include "orchestration/prompt/reasoning_probe.h"

namespace parley::orchestration::prompt {
namespace {

using Tools = ProbeRenderer::Tools;

// How well arguments came out.
enum class Arguments : std::uint8_t { not_shown, misspelled, shown };

class Probe {
 public:
  explicit Probe(const TemplateRenderer& renderer) : renderer_(renderer) {}

  TemplateCapabilities run() {
    if (!probe_texts()) return unchanged();
    probe_tools_shown();
    probe_calls();
    probe_results();
    probe_reasoning(renderer_, can_);
    probe_prefixes();
    return std::move(can_);
  }

 private:
  // For a template of which nothing can be learnt: everything as it is, for the template to say what is
  // wrong.
  static TemplateCapabilities unchanged() {
    TemplateCapabilities can;
    can.tools = can.calls = can.string_arguments = can.prose_beside_calls = can.parallel_calls = can.results =
        true;
    can.places_answers = true;  // whoever looks for the place finds out
    return can;
  }

  MessageParts with_question(MessageParts parts) const {
    parts.insert(parts.begin(), probe_part(Role::user, kProbeQuestion));
    return parts;
  }
  Tools tools() const { return can_.tools || can_.xml_tools ? Tools::offered : Tools::none; }

  bool probe_texts() {
    const MessageParts question = with_question({});
    if (!renderer_.shows(question, can_, Tools::none, kProbeQuestion)) {
      can_.typed_content = true;
      if (!renderer_.shows(question, can_, Tools::none, kProbeQuestion)) {
        can_.typed_content = false;
        return false;
      }
    }
    can_.system = renderer_.shows({probe_part(Role::system, kProbeSystem), question[0]}, can_, Tools::none,
                                  kProbeSystem, kProbeQuestion);
    can_.users_in_a_row = renderer_.shows(with_question({probe_part(Role::user, kProbeNext)}), can_,
                                          Tools::none, kProbeQuestion, kProbeNext);
    return true;
  }

  void probe_tools_shown() {
    can_.tools = renderer_.shows(with_question({}), can_, Tools::offered, kProbeTool);
    if (can_.tools) return;
    can_.xml_tools = true;
    can_.xml_tools = renderer_.shows(with_question({}), can_, Tools::offered, kProbeTool);
  }

  MessagePart calling(std::vector<MessageCall> calls, std::string prose = {}) const {
    MessagePart part = probe_part(Role::assistant, std::move(prose));
    part.calls = std::move(calls);
    return part;
  }

  std::optional<std::string> show_calls(MessagePart part, const TemplateCapabilities& form) const {
    return renderer_.render(with_question({std::move(part)}), form, tools(), GenerationPrompt::absent);
  }

  Arguments arguments_of(const std::string& id, const TemplateCapabilities& form) const {
    const auto text = show_calls(calling({probe_call(id, kProbeValue)}), form);
    const bool named = contains(text, kProbeTool) || contains(text, id);
    if (!named || !contains(text, kProbeValue)) return Arguments::not_shown;
    const std::string key = kProbeKey;
    const bool wrong = contains(text, "\\\"" + key) || contains(text, "'" + key + "'");
    return wrong ? Arguments::misspelled : Arguments::shown;
  }

  // Whether calls with this id are shown, and if so, with which form of arguments.
  bool probe_arguments(const std::string& id) {
    for (const bool without_content : {false, true}) {
      TemplateCapabilities form = can_;
      form.needs_null_content = without_content;
      form.object_arguments = true;
      const Arguments object = arguments_of(id, form);
      form.object_arguments = false;
      const Arguments text = arguments_of(id, form);
      if (object == Arguments::not_shown && text == Arguments::not_shown) continue;
      form.object_arguments = object >= text;
      form.string_arguments = text != Arguments::not_shown;
      form.calls = true;
      can_ = std::move(form);
      return true;
    }
    return false;
  }

  void probe_calls() {
    std::string id = "call_qz0123456789";
    if (!probe_arguments(id)) {
      id = "qz0123456";
      if (!probe_arguments(id)) return;
      can_.id_rule = calls::IdRule::nine_alphanumerics;
    }
    const MessageCall first = probe_call(id, kProbeValue);
    std::string other_id = id;
    other_id.back() = '7';
    const MessageCall second = probe_call(other_id, kProbeOtherValue);
    const auto one = show_calls(calling({first}), can_);
    if (contains(one, id) && !contains_call_name(*one)) can_.id_rule = calls::IdRule::functions_and_count;
    const auto both = show_calls(calling({first, second}), can_);
    can_.parallel_calls = contains(both, kProbeValue) && contains(both, kProbeOtherValue);
    const auto with_prose = show_calls(calling({first}, kProbeAnswer), can_);
    can_.prose_beside_calls = contains(with_prose, kProbeAnswer) && contains(with_prose, kProbeValue);
    TemplateCapabilities without_content = can_;
    without_content.needs_null_content = true;
    can_.null_content = show_calls(calling({first}), without_content) == one;
    const auto answered = renderer_.render(with_question({calling({first}), probe_result(first)}), can_,
                                           tools(), GenerationPrompt::absent);
    can_.ids_shown = contains(one, id) || contains(answered, id);
  }

  // The tool's name besides where the tools are described.
  bool contains_call_name(const std::string& text) const {
    const auto count = [](const std::string& in) {
      std::size_t found = 0;
      for (std::size_t at = in.find(kProbeTool); at != std::string::npos; at = in.find(kProbeTool, at + 1))
        ++found;
      return found;
    };
    const auto before = renderer_.render(with_question({}), can_, tools(), GenerationPrompt::absent);
    return count(text) > count(before.value_or(""));
  }

  // Shown behind the answer in the form that calls will have. A template that knows no calls and prints any
  // role's name does not know the role either.
  void probe_results() {
    const bool nine = can_.id_rule == calls::IdRule::nine_alphanumerics;
    const MessageCall call = probe_call(nine ? "qz0123456" : "call_qz0123456789", kProbeValue);
    const MessagePart answer = can_.calls ? calling({call}) : probe_part(Role::assistant, kProbeAnswer);
    const auto as_result = renderer_.render(with_question({answer, probe_result(call)}), can_, tools(),
                                            GenerationPrompt::present);
    can_.results = contains(as_result, kProbeResult);
    if (!can_.results || can_.calls) return;
    const auto as_user = renderer_.render(with_question({answer, probe_part(Role::user, kProbeResult)}), can_,
                                          tools(), GenerationPrompt::present);
    if (as_user && differs_in_role_only(*as_result, *as_user)) can_.results = false;
  }

  static bool differs_in_role_only(std::string_view as_result, std::string_view as_user) {
    constexpr std::string_view kTool = "tool";
    constexpr std::string_view kUser = "user";
    const auto [result, user] =
        std::mismatch(as_result.begin(), as_result.end(), as_user.begin(), as_user.end());
    const std::string_view tool_rest(result, as_result.end());
    const std::string_view user_rest(user, as_user.end());
    return tool_rest.starts_with(kTool) && user_rest.starts_with(kUser) &&
           tool_rest.substr(kTool.size()) == user_rest.substr(kUser.size());
  }

  // From here on with conversations as they will be.
  std::optional<std::string> render(const std::vector<ChatMessage>& messages, std::vector<bool> replayed,
                                    GenerationPrompt generation_prompt) const {
    const NormaliseOptions options{renderer_.tools(), ResultForm::of_template, std::move(replayed)};
    return renderer_.render(normalise(messages, can_, options), can_, Tools::offered, generation_prompt);
  }

  void probe_prefixes() {
    const MessageCall call = probe_call("", kProbeValue);
    std::vector<ChatMessage> messages(2);
    messages[0].text = kProbeQuestion;
    messages[1].role = Role::assistant;
    messages[1].calls = {call};
    const auto called = render(messages, {}, GenerationPrompt::absent);
    messages.emplace_back();
    messages[2].role = Role::tool;
    messages[2].text = kProbeResult;
    const auto resumed = render(messages, {}, GenerationPrompt::present);
    can_.keeps_prefix = called && resumed && resumed->starts_with(*called);
    can_.places_answers = resumed && is_behind_question(*resumed, messages);
    can_.replays_answers = resumed && is_same_around(*resumed, messages) && begins_as_before(messages);
    if (!can_.replays_answers) return;
    messages.emplace_back();
    messages[3].role = Role::assistant;
    messages[3].text = kProbeAnswer;
    messages.emplace_back();
    messages[4].text = kProbeNext;
    const auto later = render(messages, {}, GenerationPrompt::present);
    can_.replays_answers = later && is_same_around(*later, messages);
  }

  // Whether answers, replayed as text, stand behind the prompts that they were generated for, also the second
  // one of a turn.
  bool begins_as_before(std::vector<ChatMessage> messages) const {
    const auto first = render({messages.front()}, {}, GenerationPrompt::present);
    const auto second = render(messages, {false, true}, GenerationPrompt::present);
    messages.push_back(messages[1]);
    messages.push_back(messages[2]);
    const auto third = render(messages, {false, true, false, true}, GenerationPrompt::present);
    if (!first || !second || !third) return false;
    const std::size_t at = second->find(kReplayedText);
    const std::size_t again = third->rfind(kReplayedText);
    return at != std::string::npos && again != std::string::npos &&
           *first == second->substr(0, at) + can_.answer_lead &&
           *second == third->substr(0, again) + can_.answer_lead;
  }

  // Whether the prompt goes on behind what is rendered of the question alone.
  bool is_behind_question(const std::string& prompt, const std::vector<ChatMessage>& messages) const {
    const auto question = render({messages.front()}, {}, GenerationPrompt::absent);
    const auto begun = render({messages.front()}, {}, GenerationPrompt::present);
    return question && begun && prompt.starts_with(*question) && begun->starts_with(*question);
  }

  // Whether the prompt is the same but for the answer when that is replayed.
  bool is_same_around(const std::string& prompt, const std::vector<ChatMessage>& messages) const {
    const auto replayed = render(messages, {false, true}, GenerationPrompt::present);
    const std::size_t at = replayed ? replayed->find(kReplayedText) : std::string::npos;
    if (at == std::string::npos) return false;
    const std::string_view before = std::string_view(*replayed).substr(0, at);
    const std::string_view behind = std::string_view(*replayed).substr(at + kReplayedText.size());
    return prompt.size() > before.size() + behind.size() && prompt.starts_with(before) &&
           prompt.ends_with(behind);
  }

  ProbeRenderer renderer_;
  TemplateCapabilities can_;
};

}  // namespace

TemplateCapabilities probe_template(const TemplateRenderer& renderer) { return Probe(renderer).run(); }

}  // namespace parley::orchestration::prompt
