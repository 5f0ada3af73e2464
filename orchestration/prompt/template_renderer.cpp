#include "orchestration/prompt/template_renderer.h"

#include <chrono>
#include <optional>
#include <utility>

#include "orchestration/jinja/parse_json.h"
#include "orchestration/prompt/origins.h"

namespace parley::orchestration::prompt {
namespace {

using inference::tokenizer::TokenId;
using inference::tokenizer::Tokenizer;
using jinja::Dict;
using jinja::Origin;
using jinja::Value;

constexpr std::string_view kChatMl =
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

std::string name_of(const Tokenizer& tokenizer, const std::optional<TokenId>& id) {
  return id ? std::string(tokenizer.token_bytes(*id)) : std::string();
}

std::string role_name(Role role) {
  switch (role) {
    case Role::system:
      return "system";
    case Role::user:
      return "user";
    case Role::assistant:
      return "assistant";
    case Role::tool:
      return "tool";
  }
  return "user";
}

Value own_text(std::string text) { return Value::text(std::move(text), jinja::kTemplateOrigin); }

Value content_value(const MessagePart& part, const TemplateCapabilities& form) {
  if (part.content.empty() && !part.calls.empty() && form.needs_null_content) return Value::none();
  jinja::TextBuilder builder;
  for (const TextPiece& piece : part.content) builder.append(piece.bytes, piece.origin);
  if (!form.typed_content) return builder.take();
  Dict typed;
  typed.set("type", own_text("text"));
  typed.set("text", builder.take());
  return Value::list({Value::dict(std::move(typed))});
}

// A stored call may be malformed; a conversation is usable all the same.
Value arguments_value(const std::string& arguments, const TemplateCapabilities& form, Origin origin) {
  if (!form.object_arguments) return Value::text(arguments.empty() ? "{}" : arguments, origin);
  auto parsed = jinja::parse_json(arguments.empty() ? "{}" : arguments, origin);
  if (parsed && parsed->is(Value::Kind::dict)) return *std::move(parsed);
  Value text = Value::text(arguments, origin);
  if (form.string_arguments) return text;
  Dict raw;
  raw.set("raw", std::move(text));
  return Value::dict(std::move(raw));
}

Value call_value(const MessageCall& call, const TemplateCapabilities& form, Origin origin) {
  Dict function;
  function.set("name", Value::text(call.name, origin));
  function.set("arguments", arguments_value(call.arguments, form, origin));
  Dict value;
  if (!call.id.empty()) value.set("id", Value::text(call.id, origin));
  value.set("type", own_text("function"));
  value.set("function", Value::dict(std::move(function)));
  return Value::dict(std::move(value));
}

Value message_value(const MessagePart& part, const TemplateCapabilities& form) {
  Dict message;
  message.set("role", own_text(role_name(part.role)));
  message.set("content", content_value(part, form));
  if (!part.reasoning.empty() && !form.reasoning_field.empty()) {
    message.set(form.reasoning_field, Value::text(part.reasoning, part.origin));
  }
  if (!part.calls.empty()) {
    jinja::ValueList calls;
    for (const MessageCall& call : part.calls) calls.push_back(call_value(call, form, part.origin));
    message.set("tool_calls", Value::list(std::move(calls)));
  }
  if (!part.tool_name.empty()) message.set("name", Value::text(part.tool_name, part.origin));
  if (!part.call_id.empty()) message.set("tool_call_id", Value::text(part.call_id, part.origin));
  return Value::dict(std::move(message));
}

std::size_t bytes_of(const MessagePart& part) {
  std::size_t bytes = part.reasoning.size();
  for (const TextPiece& piece : part.content) bytes += piece.bytes.size();
  for (const MessageCall& call : part.calls) bytes += call.name.size() + call.arguments.size();
  return bytes;
}

// Depth is bounded where the tools are parsed.
std::size_t bytes_of(const Value& value) {
  std::size_t bytes = 8;
  if (value.is(Value::Kind::text)) bytes += value.as_text().size();
  if (value.is(Value::Kind::list)) {
    for (const Value& item : value.as_list()->items) bytes += bytes_of(item);
  }
  if (value.is(Value::Kind::dict)) {
    for (const auto& [key, item] : value.as_dict()->entries()) bytes += bytes_of(key) + bytes_of(item);
  }
  return bytes;
}

// The room a conversation of this size may take; templates look at each text a few times. Of real templates
// none takes a tenth of the steps, nor a thousandth of the time: that is there for what costs much and counts
// for little.
jinja::RenderLimits limits_for(std::size_t num_messages, std::size_t num_bytes) {
  constexpr std::size_t kStepsPerMessage = 2000;
  constexpr std::chrono::milliseconds kTime{2000};
  constexpr std::chrono::milliseconds kTimePerMiB{500};
  jinja::RenderLimits limits;
  limits.max_steps += kStepsPerMessage * num_messages + num_bytes / 8;
  limits.max_output_bytes = (std::size_t{4} << 20) + 16 * num_bytes;
  limits.max_memory_bytes = (std::size_t{64} << 20) + 64 * num_bytes;
  limits.max_time = kTime + kTimePerMiB * (num_bytes >> 20);
  return limits;
}

// {"type": "function", "function": F} as F.
Value bare_functions(const Value& tools) {
  jinja::ValueList functions;
  for (const Value& tool : tools.as_list()->items) {
    const Value* function = tool.is(Value::Kind::dict) ? tool.as_dict()->find("function") : nullptr;
    functions.push_back(function != nullptr ? *function : tool);
  }
  return Value::list(std::move(functions));
}

}  // namespace

TemplateRenderer::TemplateRenderer(std::string_view source, const Tokenizer& tokenizer)
    : template_(jinja::parse_template(source.empty() ? kChatMl : source)),
      bos_token_(name_of(tokenizer, tokenizer.special_tokens().bos)),
      eos_token_(name_of(tokenizer, tokenizer.special_tokens().eos)) {}

jinja::Rendered TemplateRenderer::render(const MessageParts& parts, const TemplateCapabilities& form,
                                         const Value& tools, GenerationPrompt generation_prompt) const {
  jinja::ValueList messages;
  std::size_t num_bytes = bytes_of(tools);
  for (const MessagePart& part : parts) {
    num_bytes += bytes_of(part);
    messages.push_back(message_value(part, form));
  }
  Dict context;
  context.set("messages", Value::list(std::move(messages)));
  context.set("tools", tools);
  if (form.xml_tools && tools.is(Value::Kind::list)) context.set("xml_tools", bare_functions(tools));
  context.set("documents", Value::none());
  context.set("add_generation_prompt", Value::boolean(generation_prompt == GenerationPrompt::present));
  if (!bos_token_.empty()) context.set("bos_token", own_text(bos_token_));
  if (!eos_token_.empty()) context.set("eos_token", own_text(eos_token_));
  return template_->render(Value::dict(std::move(context)), limits_for(parts.size(), num_bytes));
}

}  // namespace parley::orchestration::prompt
