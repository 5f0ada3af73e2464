#include "orchestration/prompt/generic_tools.h"

#include "inference/json/json_writer.h"
#include "orchestration/jinja/template.h"
#include "orchestration/prompt/origins.h"

namespace parley::orchestration::prompt {
namespace {

constexpr std::string_view kToolsText =
    "# Tools\n\n"
    "You may call functions to help with the user's request. These are their signatures:\n"
    "<tools>\n"
    "{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}"
    "</tools>\n\n"
    "To call a function, write a JSON object with its name and arguments between these tags, one such block "
    "for "
    "each call:\n"
    "<tool_call>\n"
    "{\"name\": <function-name>, \"arguments\": <args-json-object>}\n"
    "</tool_call>";

std::string json_string(std::string_view text) {
  return inference::json::to_json_text(inference::json::JsonValue(text));
}

}  // namespace

TextPieces tools_as_text(const jinja::Value& tools) {
  static const auto kTemplate = jinja::parse_template(kToolsText);
  jinja::Dict context;
  context.set("tools", tools);
  const jinja::Rendered rendered = kTemplate->render(jinja::Value::dict(std::move(context)), {});
  TextPieces pieces;
  for (const jinja::OriginRun& run : rendered.runs) {
    pieces.push_back({rendered.text.substr(run.begin, run.end - run.begin), run.origin});
  }
  return pieces;
}

TextPieces calls_as_text(std::string_view prose, const std::vector<MessageCall>& calls,
                         jinja::Origin origin) {
  TextPieces pieces;
  if (!prose.empty()) pieces.push_back({std::string(prose), origin});
  for (const MessageCall& call : calls) {
    pieces.push_back({pieces.empty() ? "<tool_call>\n{\"name\": " : "\n<tool_call>\n{\"name\": "});
    pieces.push_back({json_string(call.name), origin});
    pieces.push_back({", \"arguments\": "});
    pieces.push_back({call.arguments.empty() ? "{}" : call.arguments, origin});
    pieces.push_back({"}\n</tool_call>"});
  }
  return pieces;
}

TextPieces result_as_text(std::string_view result, jinja::Origin origin) {
  TextPieces pieces = {{"<tool_response>\n"}};
  if (!result.empty()) pieces.push_back({std::string(result), origin});
  pieces.push_back({"\n</tool_response>"});
  return pieces;
}

}  // namespace parley::orchestration::prompt
