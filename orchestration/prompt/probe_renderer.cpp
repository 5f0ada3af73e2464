#include "orchestration/prompt/probe_renderer.h"

#include <utility>

#include "orchestration/jinja/parse_json.h"
#include "orchestration/prompt/origins.h"

namespace parley::orchestration::prompt {
namespace {

constexpr const char* kToolsJson =
    R"([{"type": "function", "function": {"name": "qz_tool", "description": "Does it.", "parameters":
    {"type": "object", "properties": {"qz_key": {"type": "string", "description": "Which."}},
    "required": ["qz_key"]}}}])";

// Some forty renders make a probe; each may take as long as the limits allow.
constexpr int kMaxOverLimits = 3;

}  // namespace

MessagePart probe_part(Role role, std::string text) {
  MessagePart part{role, {}, origin_of_message(0)};
  if (!text.empty()) part.content = {{std::move(text), part.origin}};
  return part;
}

MessageCall probe_call(std::string id, std::string_view value) {
  return {std::move(id), kProbeTool, std::string("{\"") + kProbeKey + "\": \"" + std::string(value) + "\"}"};
}

MessagePart probe_result(const MessageCall& call) {
  MessagePart part = probe_part(Role::tool, kProbeResult);
  part.call_id = call.id;
  part.tool_name = call.name;
  return part;
}

jinja::Value probe_tools() {
  return jinja::parse_json(kToolsJson, kToolsOrigin).value_or(jinja::Value::none());
}

bool contains(const std::optional<std::string>& text, std::string_view word) {
  return text && text->find(word) != std::string::npos;
}

std::optional<std::string> ProbeRenderer::render(const MessageParts& parts, const TemplateCapabilities& form,
                                                 Tools tools, GenerationPrompt generation_prompt) const {
  if (num_over_limits_ == kMaxOverLimits) return std::nullopt;
  try {
    const jinja::Value& offered = tools == Tools::offered ? tools_ : jinja::Value::none();
    return renderer_.render(parts, form, offered, generation_prompt).text;
  } catch (const jinja::TemplateLimitError&) {
    ++num_over_limits_;
    return std::nullopt;
  } catch (const jinja::TemplateError&) {
    return std::nullopt;  // refusing is how a template says that it does not take such a conversation
  }
}

}  // namespace parley::orchestration::prompt
