#include "orchestration/calls/call_formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/orchestration/calls/family_writer.h"

namespace parley::orchestration::calls {
namespace {

std::string format_named(const std::string& source) {
  const CallFormat* format = format_of_template(source);
  return format == nullptr ? "none" : format->name;
}

TEST(CallFormats, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const CallFormat& format : call_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_EQ(find_call_format(format.name), &format);
    EXPECT_FALSE(format.call_open.empty()) << format.name;
  }
  EXPECT_EQ(find_call_format("nope"), nullptr);
  EXPECT_EQ(generic_call_format().name, "hermes");
}

TEST(CallFormats, AreAllTested) {
  const std::vector<std::string>& written = written_families();
  for (const CallFormat& format : call_formats()) {
    EXPECT_NE(std::find(written.begin(), written.end(), format.name), written.end()) << format.name;
  }
}

TEST(CallFormats, HaveNoEmptyMarker) {
  for (const CallFormat& format : call_formats()) {
    for (const Markers* markers :
         {&format.section_open, &format.section_close, &format.call_open, &format.name_end,
          &format.call_close, &format.reasoning_open, &format.reasoning_close, &format.dropped}) {
      for (const std::string& marker : *markers) EXPECT_FALSE(marker.empty()) << format.name;
    }
  }
}

// By the marks that the templates have; those of real templates are in golden_test.cpp.
TEST(CallFormats, AreFoundByTheMarksOfATemplate) {
  EXPECT_EQ(format_named("'<tool_call>\\n<function=' ~ name ~ '>' '<parameter=' </tool_call>"),
            "qwen3-coder");
  EXPECT_EQ(format_named("<tool_call>{{ name }}\n<arg_key>"), "glm-4.5");
  EXPECT_EQ(format_named("'<minimax:tool_call>' <invoke name= <tool_call>"), "minimax-m2");
  EXPECT_EQ(format_named("{{ '<|tool_calls_section_begin|>' }}<|tool_call_begin|>"), "kimi-k2");
  EXPECT_EQ(format_named("[AVAILABLE_TOOLS] [TOOL_CALLS]"), "mistral");
  EXPECT_EQ(format_named("<|start|>assistant<|channel|>analysis<|message|>"), "harmony");
  EXPECT_EQ(format_named("<｜tool▁call▁begin｜>function<｜tool▁sep｜>\n```json"), "deepseek-v3");
  EXPECT_EQ(format_named("<｜tool▁call▁begin｜><｜tool▁sep｜>"), "deepseek-v3.1");
  EXPECT_EQ(format_named("<｜DSML｜function_calls>"), "deepseek-v3.2");
  EXPECT_EQ(format_named("<｜DSML｜tool_calls>"), "deepseek-v4");
  EXPECT_EQ(format_named("<longcat_tool_call> <tool_call>"), "longcat");
  EXPECT_EQ(format_named("<|tool_list_start|><|tool_call_start|>"), "lfm2");
  EXPECT_EQ(format_named("<|tool_list_start|>"), "lfm2.5");
  EXPECT_EQ(format_named("<|tool>declaration <|tool_call>call: <tool_call|>"), "gemma-4");
  EXPECT_EQ(format_named("<|tool|>{{ tools }}<|/tool|>"), "phi-4-mini");
  EXPECT_EQ(format_named("<|tool_call|>"), "granite-3");
  EXPECT_EQ(format_named("ipython {\"name\": n, \"parameters\": d} <|python_tag|>"), "llama-3");
  EXPECT_EQ(format_named(">>>all\\n"), "functionary-v3.2");
  EXPECT_EQ(format_named("<tool_call>{\"name\""), "hermes");
  EXPECT_EQ(format_named("<|im_start|>{{ message.content }}"), "none");
  EXPECT_EQ(format_named(""), "none");
}

}  // namespace
}  // namespace parley::orchestration::calls
