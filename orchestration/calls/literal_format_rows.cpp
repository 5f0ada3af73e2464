#include "orchestration/calls/call_format_rows.h"

namespace parley::orchestration::calls {
namespace {

// Unverified. Gemma 4.
CallFormat gemma4() {
  return {.name = "gemma-4",
          .encoding = Encoding::bare_keys,
          .call_open = {"<|tool_call>"},
          .call_close = {"<tool_call|>"},
          .quote = {"<|\"|>"},
          .reasoning_open = {"<|channel>thought"},
          .reasoning_close = {"<channel|>"},
          .template_marks = {"<|tool_call>", "<tool_call|>"}};
}

// Unverified. FunctionGemma.
CallFormat function_gemma() {
  return {.name = "functiongemma",
          .encoding = Encoding::bare_keys,
          .call_open = {"<start_function_call>"},
          .call_close = {"<end_function_call>"},
          .quote = {"<escape>"},
          .template_marks = {"<start_function_call>"}};
}

// Unverified. LFM2; LFM2.5 writes the list without the markers.
CallFormat lfm2() {
  return {.name = "lfm2",
          .encoding = Encoding::pythonic,
          .call_open = {"<|tool_call_start|>"},
          .call_close = {"<|tool_call_end|>"},
          .bare_pythonic = true,
          .template_marks = {"<|tool_call_start|>"}};
}

// Unverified. LFM2.5, whose templates name the list of tools only.
CallFormat lfm25() {
  CallFormat format = lfm2();
  format.name = "lfm2.5";
  format.template_marks = {"<|tool_list_start|>"};
  return format;
}

// Unverified. Llama 4, and the small models of Llama 3.2 that prefer lists of calls.
CallFormat llama_pythonic() {
  return {.name = "llama-pythonic",
          .encoding = Encoding::pythonic,
          .call_open = {"<|python_start|>", "<|python_tag|>"},
          .call_close = {"<|python_end|>"},
          .bare_json = true,
          .bare_pythonic = true,
          .template_marks = {"<|python_start|>"}};
}

// Unverified. Olmo 3: one call a line.
CallFormat olmo3() {
  return {.name = "olmo-3",
          .encoding = Encoding::pythonic,
          .call_open = {"<function_calls>"},
          .call_close = {"</function_calls>"},
          .template_marks = {"<function_calls>"},
          .one_a_line = true};
}

}  // namespace

std::vector<CallFormat> literal_format_rows() {
  return {gemma4(), function_gemma(), lfm2(), lfm25(), llama_pythonic(), olmo3()};
}

}  // namespace parley::orchestration::calls
