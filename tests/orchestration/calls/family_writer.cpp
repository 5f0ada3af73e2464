#include "tests/orchestration/calls/family_writer.h"

#include <functional>
#include <map>

#include "inference/json/json_writer.h"

namespace parley::orchestration::calls {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;
using inference::json::to_json_text;

std::string json_of(const WrittenCall& call) { return to_json_text(call.arguments); }

std::string object_of(const WrittenCall& call, const std::string& key) {
  return "{\"name\": \"" + call.name + "\", \"" + key + "\": " + json_of(call) + "}";
}

std::string text_of(const JsonValue& value) {
  return value.is_string() ? std::string(value.get_string()) : to_json_text(value);
}

std::string literal(const JsonValue& value, const std::string& quote);

std::string literal_items(const JsonObject& object, const std::string& quote, const std::string& separator) {
  std::string text;
  for (const auto& [key, item] : object) {
    if (!text.empty()) text += quote == "'" ? ", " : ",";
    const bool quoted_key = quote == "'" && separator == ": ";
    text += quoted_key ? "'" + std::string(key) + "'" : std::string(key);
    text += separator + literal(item, quote);
  }
  return text;
}

std::string literal_string(const std::string& value, const std::string& quote) {
  if (quote != "'") return quote + value + quote;
  std::string text = "'";
  for (const char byte : value) {
    if (byte == '\'' || byte == '\\') text += '\\';
    text += byte == '\n' ? std::string("\\n") : std::string(1, byte);
  }
  return text + "'";
}

std::string literal(const JsonValue& value, const std::string& quote) {
  const bool python = quote == "'";
  if (value.is_string()) return literal_string(std::string(value.get_string()), quote);
  if (value.is_object()) return "{" + literal_items(value.get_object(), quote, python ? ": " : ":") + "}";
  if (value.is_array()) {
    std::string text = "[";
    for (const JsonValue& item : value.get_array())
      text += (text.size() > 1 ? (python ? ", " : ",") : "") + literal(item, quote);
    return text + "]";
  }
  if (python && value.is_bool()) return value.get_bool() ? "True" : "False";
  if (python && value.is_null()) return "None";
  return to_json_text(value);
}

// Calls, each after the other, between `open` and `close`.
struct Pattern {
  std::string open;
  std::function<std::string(const WrittenCall&, std::size_t)> call;
  std::string between;
  std::string close;
  std::string think_open = "<think>\n";
  std::string think_close = "\n</think>\n\n";
};

std::string tags(const WrittenCall& call, const std::string& begin, const std::string& end,
                 const std::function<std::string(const std::string&, const JsonValue&)>& argument) {
  std::string text = begin;
  for (const auto& [key, value] : call.arguments) text += argument(std::string(key), value);
  return text + end;
}

std::string coder_call(const WrittenCall& call, const std::string& newline) {
  return tags(call, "<function=" + call.name + ">\n", "</function>",
              [&](const std::string& key, const JsonValue& value) {
                return "<parameter=" + key + ">" + newline + text_of(value) + newline + "</parameter>\n";
              });
}

std::string minimax_call(const WrittenCall& call) {
  return tags(call, "<invoke name=\"" + call.name + "\">\n", "</invoke>",
              [](const std::string& key, const JsonValue& value) {
                return "<parameter name=\"" + key + "\">" + text_of(value) + "</parameter>\n";
              });
}

std::string dsml_call(const WrittenCall& call) {
  return tags(call, "<｜DSML｜invoke name=\"" + call.name + "\">\n", "</｜DSML｜invoke>",
              [](const std::string& key, const JsonValue& value) {
                return "<｜DSML｜parameter name=\"" + key + "\" string=\"" +
                       (value.is_string() ? "true" : "false") + "\">" + text_of(value) +
                       "</｜DSML｜parameter>\n";
              });
}

std::string glm_call(const WrittenCall& call, const std::string& newline) {
  return tags(call, "<tool_call>" + call.name + newline, "</tool_call>",
              [&](const std::string& key, const JsonValue& value) {
                return "<arg_key>" + key + "</arg_key>" + newline + "<arg_value>" + text_of(value) +
                       "</arg_value>" + newline;
              });
}

std::string python_call(const WrittenCall& call) {
  return call.name + "(" + literal_items(call.arguments, "'", "=") + ")";
}

std::string gemma_call(const WrittenCall& call, const std::string& quote) {
  return "call:" + call.name + "{" + literal_items(call.arguments, quote, ":") + "}";
}

using Call = const WrittenCall&;
using At = std::size_t;

const std::map<std::string, Pattern, std::less<>>& patterns() {
  static const auto arguments_object = [](Call call, At) { return object_of(call, "arguments"); };
  static const auto parameters_object = [](Call call, At) { return object_of(call, "parameters"); };
  static const std::map<std::string, Pattern, std::less<>> kPatterns = {
      {"hermes",
       {"", [](Call c, At) { return "<tool_call>\n" + object_of(c, "arguments") + "\n</tool_call>"; }, "\n",
        ""}},
      {"longcat",
       {"",
        [](Call c, At) {
          return "<longcat_tool_call>\n" + object_of(c, "arguments") + "\n</longcat_tool_call>";
        },
        "\n", "", "<longcat_think>\n", "\n</longcat_think>\n"}},
      {"smollm2", {"<tool_call>[", arguments_object, ", ", "]</tool_call>"}},
      {"nemotron-nano-v2", {"<TOOLCALL>[", arguments_object, ", ", "]</TOOLCALL>"}},
      {"hunyuan", {"<tool_calls>[", arguments_object, ", ", "]</tool_calls>"}},
      {"granite-3", {"<|tool_call|>[", arguments_object, ", ", "]"}},
      {"phi-4-mini", {"<|tool_call|>[", arguments_object, ", ", "]<|/tool_call|>"}},
      {"internlm2.5",
       {"",
        [](Call c, At) {
          return "<|action_start|><|plugin|>\n" + object_of(c, "parameters") + "<|action_end|>";
        },
        "\n", ""}},
      {"command-r",
       {"<|START_ACTION|>[\n    ",
        [](Call c, At i) {
          return "{\"tool_call_id\": \"" + std::to_string(i) + "\", \"tool_name\": \"" + c.name +
                 "\", \"parameters\": " + json_of(c) + "}";
        },
        ",\n    ", "\n]<|END_ACTION|>", "<|START_THINKING|>", "<|END_THINKING|>"}},
      {"llama-3", {"", parameters_object, "; ", ""}},
      {"mistral",
       {"", [](Call c, At) { return "[TOOL_CALLS]" + c.name + "[ARGS]" + json_of(c); }, "", "", "[THINK]",
        "[/THINK]"}},
      {"deepseek-v3",
       {"<｜tool▁calls▁begin｜>",
        [](Call c, At) {
          return "<｜tool▁call▁begin｜>function<｜tool▁sep｜>" + c.name + "\n```json\n" + json_of(c) +
                 "\n```<｜tool▁call▁end｜>";
        },
        "\n", "<｜tool▁calls▁end｜>"}},
      {"deepseek-v3.1",
       {"<｜tool▁calls▁begin｜>",
        [](Call c, At) {
          return "<｜tool▁call▁begin｜>" + c.name + "<｜tool▁sep｜>" + json_of(c) + "<｜tool▁call▁end｜>";
        },
        "", "<｜tool▁calls▁end｜>"}},
      {"kimi-k2",
       {"<|tool_calls_section_begin|>",
        [](Call c, At i) {
          return "<|tool_call_begin|>functions." + c.name + ":" + std::to_string(i) +
                 "<|tool_call_argument_begin|>" + json_of(c) + "<|tool_call_end|>";
        },
        "", "<|tool_calls_section_end|>"}},
      {"functionary-v3.1",
       {"", [](Call c, At) { return "<function=" + c.name + ">" + json_of(c) + "</function>"; }, "\n", ""}},
      {"qwen3-coder",
       {"", [](Call c, At) { return "<tool_call>\n" + coder_call(c, "\n") + "\n</tool_call>"; }, "\n", ""}},
      {"seed-oss",
       {"", [](Call c, At) { return "<seed:tool_call>\n" + coder_call(c, "") + "\n</seed:tool_call>"; }, "\n",
        "", "<seed:think>", "</seed:think>"}},
      {"minimax-m2",
       {"<minimax:tool_call>\n", [](Call c, At) { return minimax_call(c); }, "\n", "\n</minimax:tool_call>"}},
      {"deepseek-v3.2",
       {"<｜DSML｜function_calls>\n", [](Call c, At) { return dsml_call(c); }, "\n",
        "\n</｜DSML｜function_calls>"}},
      {"deepseek-v4",
       {"<｜DSML｜tool_calls>\n", [](Call c, At) { return dsml_call(c); }, "\n", "\n</｜DSML｜tool_calls>"}},
      {"glm-4.5", {"", [](Call c, At) { return glm_call(c, "\n"); }, "\n", ""}},
      {"lfm2",
       {"<|tool_call_start|>[", [](Call c, At) { return python_call(c); }, ", ", "]<|tool_call_end|>"}},
      {"lfm2.5", {"[", [](Call c, At) { return python_call(c); }, ", ", "]"}},
      {"llama-pythonic",
       {"<|python_start|>[", [](Call c, At) { return python_call(c); }, ", ", "]<|python_end|>"}},
      {"olmo-3", {"<function_calls>", [](Call c, At) { return python_call(c); }, "\n", "</function_calls>"}},
      {"gemma-4",
       {"", [](Call c, At) { return "<|tool_call>" + gemma_call(c, "<|\"|>") + "<tool_call|>"; }, "", "",
        "<|channel>thought\n", "<channel|>"}},
      {"functiongemma",
       {"",
        [](Call c, At) {
          return "<start_function_call>" + gemma_call(c, "<escape>") + "<end_function_call>";
        },
        "", ""}},
  };
  return kPatterns;
}

std::string write_harmony(const WrittenOutput& output) {
  std::string text;
  const auto message = [&text](const std::string& header, const std::string& body, const std::string& end) {
    text += (text.empty() ? "" : "<|start|>assistant") + header + "<|message|>" + body + end;
  };
  if (!output.reasoning.empty()) message("<|channel|>analysis", output.reasoning, "<|end|>");
  if (!output.prose.empty())
    message(output.calls.empty() ? "<|channel|>final" : "<|channel|>commentary", output.prose, "<|end|>");
  for (const WrittenCall& call : output.calls) {
    message("<|channel|>commentary to=functions." + call.name + " <|constrain|>json", json_of(call),
            "<|call|>");
  }
  return text;
}

// The prompt ends in >>>.
std::string write_functionary(const WrittenOutput& output) {
  std::string text;
  const auto part = [&text](const std::string& name, const std::string& body) {
    text += (text.empty() ? "" : "\n>>>") + name + "\n" + body;
  };
  if (!output.prose.empty()) part("all", output.prose);
  for (const WrittenCall& call : output.calls) part(call.name, json_of(call));
  return text;
}

}  // namespace

std::string python_literal(const JsonValue& value) { return literal(value, "'"); }

const std::vector<std::string>& written_families() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names = {"harmony", "functionary-v3.2"};
    for (const auto& [name, pattern] : patterns()) names.push_back(name);
    return names;
  }();
  return kNames;
}

std::string write_output(std::string_view family, const WrittenOutput& output) {
  if (family == "harmony") return write_harmony(output);
  if (family == "functionary-v3.2") return write_functionary(output);
  const Pattern& pattern = patterns().find(family)->second;
  std::string text;
  if (!output.reasoning.empty()) text += pattern.think_open + output.reasoning + pattern.think_close;
  text += output.prose;
  if (output.calls.empty()) return text;
  if (!output.prose.empty()) text += "\n";
  text += pattern.open;
  for (std::size_t i = 0; i < output.calls.size(); ++i)
    text += (i > 0 ? pattern.between : "") + pattern.call(output.calls[i], i);
  return text + pattern.close;
}

}  // namespace parley::orchestration::calls
