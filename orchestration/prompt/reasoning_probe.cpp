#include "orchestration/prompt/reasoning_probe.h"

#include <algorithm>
#include <utility>

#include "orchestration/prompt/trimmed.h"

namespace parley::orchestration::prompt {
namespace {

using calls::ReasoningStart;
using Tools = ProbeRenderer::Tools;

MessagePart question() { return probe_part(Role::user, kProbeQuestion); }

MessagePart reasoned_answer() {
  MessagePart part = probe_part(Role::assistant, kProbeAnswer);
  part.reasoning = kProbeReasoning;
  return part;
}

// Reasoning before a call that has its result.
bool is_shown_in_loop(const ProbeRenderer& renderer, const TemplateCapabilities& can) {
  if (!can.calls || !can.results) return false;
  const MessageCall call = probe_call(
      can.id_rule == calls::IdRule::nine_alphanumerics ? "qz0123456" : "call_qz0123456789", kProbeValue);
  MessagePart answer = probe_part(Role::assistant, "");
  answer.reasoning = kProbeReasoning;
  answer.calls = {call};
  return renderer.shows({question(), answer, probe_result(call)}, can, Tools::offered, kProbeReasoning);
}

// The mark that opens what this one closes: "<think>" for "</think>". Empty if it is of another kind.
std::string opening_of(std::string_view close) {
  const std::size_t slash = close.find('/');
  if (slash == std::string_view::npos || slash != 1) return {};
  return std::string(close).erase(slash, 1);
}

// What the template writes around the reasoning of an answer that it shows; `header_size` bytes come before.
void learn_marks(const std::string& shown, std::size_t header_size, TemplateCapabilities& can) {
  const std::size_t reasoning = shown.find(kProbeReasoning);
  const std::size_t answer = shown.find(kProbeAnswer);
  const std::size_t reasoning_end = reasoning + std::string_view(kProbeReasoning).size();
  if (reasoning == std::string::npos || answer == std::string::npos || answer < reasoning_end) return;
  can.reasoning_close = shown.substr(reasoning_end, answer - reasoning_end);
  const std::string opening = opening_of(trimmed(can.reasoning_close));
  const std::string_view before = std::string_view(shown).substr(0, reasoning);
  if (!opening.empty() && trimmed(before).ends_with(opening)) {
    can.reasoning_open = before.substr(before.rfind(opening));
  } else if (header_size <= reasoning) {
    can.reasoning_open = before.substr(header_size);
  }
}

ReasoningStart start_of(const TemplateCapabilities& can) {
  const std::string_view lead = can.answer_lead;
  const std::string_view open = trimmed(can.reasoning_open);
  const std::string_view close = trimmed(can.reasoning_close);
  if (!close.empty() && lead.find(close) != std::string_view::npos) return ReasoningStart::closed;
  if (!open.empty() && lead.find(open) != std::string_view::npos) return ReasoningStart::opened;
  const std::string_view mark = trimmed(lead);
  if (mark.starts_with("<") && mark.ends_with(">")) {  // of a template whose marks could not be learnt
    const bool several = mark.find('<', 1) != std::string_view::npos;
    return several || mark[1] == '/' ? ReasoningStart::closed : ReasoningStart::opened;
  }
  const bool only_closes = open.empty() && !close.empty();
  return only_closes ? ReasoningStart::only_closing : ReasoningStart::model_opens;
}

}  // namespace

void probe_reasoning(const ProbeRenderer& renderer, TemplateCapabilities& can) {
  const MessagePart next = probe_part(Role::user, kProbeNext);
  for (const char* field : {"reasoning_content", "thinking", "reasoning"}) {
    can.reasoning_field = field;
    can.reasoning_in_loop = is_shown_in_loop(renderer, can);
    can.reasoning_kept =
        renderer.shows({question(), reasoned_answer(), next}, can, Tools::none, kProbeReasoning);
    if (can.reasoning_in_loop || can.reasoning_kept) break;
    can.reasoning_field.clear();
  }
  const auto earlier = renderer.render({question(), probe_part(Role::assistant, kProbeAnswer), next}, can,
                                       Tools::none, GenerationPrompt::absent);
  const auto beginning = renderer.render({question()}, can, Tools::none, GenerationPrompt::present);
  const std::size_t header_size = earlier ? earlier->find(kProbeAnswer) : std::string::npos;
  if (header_size == std::string::npos || !beginning) return;
  if (beginning->starts_with(std::string_view(*earlier).substr(0, header_size))) {
    can.answer_lead = beginning->substr(header_size);
  }
  const auto last =
      renderer.render({question(), reasoned_answer()}, can, Tools::none, GenerationPrompt::absent);
  if (last) learn_marks(*last, header_size, can);
  can.reasoning_start = start_of(can);
}

}  // namespace parley::orchestration::prompt
