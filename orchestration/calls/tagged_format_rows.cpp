#include <utility>

#include "orchestration/calls/call_format_rows.h"

namespace parley::orchestration::calls {
namespace {

// Unverified. MiniMax-M2.
CallFormat minimax() {
  return {.name = "minimax-m2",
          .encoding = Encoding::tagged_values,
          .section_open = {"<minimax:tool_call>"},
          .section_close = {"</minimax:tool_call>"},
          .call_open = {"<invoke name=\""},
          .name_end = {"\">"},
          .call_close = {"</invoke>"},
          .argument = {.open = {"<parameter name=\""}, .name_end = {"\">"}, .value_close = {"</parameter>"}},
          .template_marks = {"<minimax:tool_call>"}};
}

// Unverified. DeepSeek V3.2 and V4; bars without their width have been seen in leaks.
CallFormat deepseek_dsml() {
  return {.name = "deepseek-v3.2",
          .encoding = Encoding::typed_tags,
          .section_open = {"<｜DSML｜function_calls>", "<｜DSML｜tool_calls>", "<|DSML|function_calls>",
                           "<|DSML|tool_calls>"},
          .section_close = {"</｜DSML｜function_calls>", "</｜DSML｜tool_calls>", "</|DSML|function_calls>",
                            "</|DSML|tool_calls>"},
          .call_open = {"<｜DSML｜invoke name=\"", "<|DSML|invoke name=\""},
          .name_end = {"\">"},
          .call_close = {"</｜DSML｜invoke>", "</|DSML|invoke>"},
          .argument = {.open = {"<｜DSML｜parameter name=\"", "<|DSML|parameter name=\""},
                       .name_end = {"\""},
                       .attribute_end = {">"},
                       .value_close = {"</｜DSML｜parameter>", "</|DSML|parameter>"}},
          .template_marks = {"DSML", "function_calls>"}};
}

CallFormat deepseek_v4() {
  CallFormat format = deepseek_dsml();
  format.name = "deepseek-v4";
  std::swap(format.section_open[0], format.section_open[1]);
  std::swap(format.section_close[0], format.section_close[1]);
  format.template_marks = {"DSML"};
  return format;
}

// Unverified. GLM-4.5 to GLM-5, with newlines between the tags or without.
CallFormat glm() {
  return {.name = "glm-4.5",
          .encoding = Encoding::key_value_tags,
          .call_open = {"<tool_call>"},
          .name_end = {"\n"},
          .call_close = {"</tool_call>"},
          .argument = {.open = {"<arg_key>"},
                       .name_end = {"</arg_key>"},
                       .value_open = {"<arg_value>"},
                       .value_close = {"</arg_value>"}},
          .template_marks = {"<arg_key>"}};
}

// Unverified. Seed-OSS.
CallFormat seed() {
  return {.name = "seed-oss",
          .encoding = Encoding::tagged_values,
          .section_open = {"<seed:tool_call>"},
          .section_close = {"</seed:tool_call>"},
          .call_open = {"<function="},
          .name_end = {">"},
          .call_close = {"</function>"},
          .argument = {.open = {"<parameter="}, .name_end = {">"}, .value_close = {"</parameter>"}},
          .reasoning_open = {"<seed:think>"},
          .reasoning_close = {"</seed:think>"},
          .section_per_call = true,
          .template_marks = {"<seed:tool_call>"}};
}

// Unverified. Qwen3-Coder, Qwen3.5 and later, Nemotron-3-Nano, Step-3.5, MiMo.
CallFormat qwen3_coder() {
  return {.name = "qwen3-coder",
          .encoding = Encoding::tagged_values,
          .section_open = {"<tool_call>"},
          .section_close = {"</tool_call>"},
          .call_open = {"<function="},
          .name_end = {">"},
          .call_close = {"</function>"},
          .argument = {.open = {"<parameter="},
                       .name_end = {">"},
                       .value_close = {"</parameter>"},
                       .in_newlines = true},
          .calls_in_reasoning = true,
          .section_per_call = true,
          .template_marks = {"<tool_call>", "<function=", "<parameter="}};
}

}  // namespace

std::vector<CallFormat> tagged_format_rows() {
  return {minimax(), deepseek_dsml(), deepseek_v4(), seed(), glm(), qwen3_coder()};
}

}  // namespace parley::orchestration::calls
