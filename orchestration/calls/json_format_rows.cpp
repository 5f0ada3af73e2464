#include "orchestration/calls/call_format_rows.h"

namespace parley::orchestration::calls {
namespace {

// Unverified. Command-R7B and Command-A.
CallFormat command_r() {
  return {.name = "command-r",
          .encoding = Encoding::json_array,
          .call_open = {"<|START_ACTION|>"},
          .call_close = {"<|END_ACTION|>"},
          .reasoning_open = {"<|START_THINKING|>"},
          .reasoning_close = {"<|END_THINKING|>"},
          .dropped = {"<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>"},
          .id_rule = IdRule::count,
          .template_marks = {"<|START_ACTION|>"}};
}

// Unverified. LongCat-Flash.
CallFormat longcat() {
  return {.name = "longcat",
          .call_open = {"<longcat_tool_call>"},
          .call_close = {"</longcat_tool_call>"},
          .reasoning_open = {"<longcat_think>"},
          .reasoning_close = {"</longcat_think>"},
          .template_marks = {"<longcat_tool_call>"}};
}

// Unverified. Phi-4-mini; with a generic template it writes functools[{…}].
CallFormat phi4_mini() {
  return {.name = "phi-4-mini",
          .encoding = Encoding::json_array,
          .call_open = {"<|tool_call|>", "functools"},
          .call_close = {"<|/tool_call|>"},
          .template_marks = {"<|tool|>", "<|/tool|>"}};
}

// Unverified. Granite 3.0 to 3.3: a list after a marker that is not closed.
CallFormat granite3() {
  return {.name = "granite-3",
          .encoding = Encoding::json_array,
          .call_open = {"<|tool_call|>", "<tool_call>", "<function_call>"},
          .call_close = {"</tool_call>"},
          .dropped = {"<response>", "</response>"},
          .template_marks = {"<|tool_call|>"},
          .unclosed = true};
}

// Unverified. Nemotron-Nano-v2.
CallFormat nemotron_nano() {
  return {.name = "nemotron-nano-v2",
          .encoding = Encoding::json_array,
          .call_open = {"<TOOLCALL>"},
          .call_close = {"</TOOLCALL>"},
          .template_marks = {"<TOOLCALL>"}};
}

// Unverified. Hunyuan-A13B, Jamba.
CallFormat hunyuan() {
  return {.name = "hunyuan",
          .encoding = Encoding::json_array,
          .call_open = {"<tool_calls>"},
          .call_close = {"</tool_calls>"},
          .dropped = {"<answer>", "</answer>"},
          .template_marks = {"<tool_calls>"}};
}

// Unverified. InternLM2.5.
CallFormat internlm() {
  return {.name = "internlm2.5",
          .section_open = {"<|action_start|>"},
          .call_open = {"<|plugin|>"},
          .call_close = {"<|action_end|>"},
          .template_marks = {"<|action_start|>"}};
}

// Hermes 2 and 3, Qwen2.5, QwQ, Qwen3, Granite 4, EXAONE 4, SmolLM3. Checked against the templates of
// Qwen3 and Qwen2.5-Coder (tests/goldens/calls).
CallFormat hermes() {
  return {.name = "hermes",
          .call_open = {"<tool_call>"},
          .call_close = {"</tool_call>"},
          .template_marks = {"<tool_call>"}};
}

// SmolLM2: no support in its template; a list inside Hermes' tags. By name only.
CallFormat smollm2() {
  CallFormat format = hermes();
  format.name = "smollm2";
  format.encoding = Encoding::json_array;
  format.template_marks = {};
  return format;
}

// Unverified. Llama 3.1 to 3.3: a bare object is the whole turn.
CallFormat llama3() {
  return {.name = "llama-3",
          .call_open = {"<|python_tag|>"},
          .bare_json = true,
          .bare_pythonic = true,
          .template_marks = {"\"parameters\": ", "ipython"}};
}

}  // namespace

std::vector<CallFormat> json_format_rows() {
  return {command_r(), longcat(),  phi4_mini(), granite3(), nemotron_nano(),
          hunyuan(),   internlm(), hermes(),    smollm2(),  llama3()};
}

}  // namespace parley::orchestration::calls
