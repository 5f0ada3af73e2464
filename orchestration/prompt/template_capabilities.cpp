#include "orchestration/prompt/template_capabilities.h"

#include <string_view>

namespace parley::orchestration::prompt {
namespace {

std::string_view name_of_rule(calls::IdRule rule) {
  switch (rule) {
    case calls::IdRule::free:
      return "any";
    case calls::IdRule::nine_alphanumerics:
      return "9 letters or digits";
    case calls::IdRule::functions_and_count:
      return "functions.NAME:N";
    case calls::IdRule::count:
      return "counted";
  }
  return "any";
}

std::string_view name_of_start(calls::ReasoningStart start) {
  switch (start) {
    case calls::ReasoningStart::model_opens:
      return "";
    case calls::ReasoningStart::opened:
    case calls::ReasoningStart::inside:  // of answers that are carried on, not of templates
      return ", begun by the prompt";
    case calls::ReasoningStart::closed:
      return ", skipped by the prompt";
    case calls::ReasoningStart::only_closing:
      return ", only closed by the model";
  }
  return "";
}

std::string calls_text(const TemplateCapabilities& can) {
  if (!can.calls) return "calls as text";
  std::string text = "calls (arguments as ";
  text += can.object_arguments ? "objects" : "text";
  text += can.parallel_calls ? ", parallel" : ", one at a time";
  if (can.needs_null_content) text += ", without content";
  text += ", ids: ";
  text += can.ids_shown || can.id_rule != calls::IdRule::free ? name_of_rule(can.id_rule) : "not shown";
  return text + ")";
}

std::string reasoning_text(const TemplateCapabilities& can) {
  std::string text = "reasoning ";
  text += can.reasoning_kept ? "kept" : can.reasoning_in_loop ? "kept within a turn" : "not kept";
  return text.append(name_of_start(can.reasoning_start));
}

}  // namespace

std::string to_text(const TemplateCapabilities& can) {
  std::string text = can.system ? "system" : "system within the first question";
  text += can.tools ? ", tools" : can.xml_tools ? ", tools as xml_tools" : ", tools in the system text";
  text += ", " + calls_text(can);
  text += can.results ? ", results" : ", results as text";
  text += ", " + reasoning_text(can);
  if (can.typed_content) text += ", typed content";
  text += can.replays_answers  ? ", replays generated answers"
          : can.places_answers ? ", replays generated answers where they stood"
                               : ", renders earlier answers anew";
  text += can.keeps_prefix ? ", keeps prefixes" : ", does not keep prefixes";
  return text;
}

}  // namespace parley::orchestration::prompt
