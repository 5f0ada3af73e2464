#include "orchestration/prompt/template_capabilities.h"

#include <gtest/gtest.h>

namespace parley::orchestration::prompt {
namespace {

using calls::IdRule;
using calls::ReasoningStart;

bool says(const TemplateCapabilities& can, std::string_view words) {
  return to_text(can).find(words) != std::string::npos;
}

TEST(TemplateCapabilities, OneLineSaysAllThatIsNotThere) {
  EXPECT_EQ(to_text({}),
            "system, tools in the system text, calls as text, results as text, reasoning not kept, renders "
            "earlier answers anew, does not keep prefixes");
}

TEST(TemplateCapabilities, AndAllThatIs) {
  TemplateCapabilities can;
  can.tools = can.calls = can.parallel_calls = can.ids_shown = can.results = true;
  can.reasoning_kept = can.typed_content = can.replays_answers = can.keeps_prefix = true;
  EXPECT_EQ(to_text(can),
            "system, tools, calls (arguments as objects, parallel, ids: any), results, reasoning kept, typed "
            "content, replays generated answers, keeps prefixes");
}

TEST(TemplateCapabilities, TellsTheWaysApart) {
  TemplateCapabilities can;
  can.system = false;
  can.xml_tools = can.calls = can.needs_null_content = can.reasoning_in_loop = true;
  can.object_arguments = false;
  EXPECT_TRUE(says(can, "system within the first question, tools as xml_tools"));
  EXPECT_TRUE(says(can, "calls (arguments as text, one at a time, without content, ids: not shown)"));
  EXPECT_TRUE(says(can, "reasoning kept within a turn"));
  can.tools = true;
  EXPECT_TRUE(says(can, ", tools, calls"));
}

TEST(TemplateCapabilities, NamesRulesOfIdsAndStartsOfReasoning) {
  TemplateCapabilities can;
  can.calls = true;
  can.id_rule = IdRule::nine_alphanumerics;
  EXPECT_TRUE(says(can, "ids: 9 letters or digits"));
  can.id_rule = IdRule::functions_and_count;
  EXPECT_TRUE(says(can, "ids: functions.NAME:N"));
  can.id_rule = IdRule::count;
  EXPECT_TRUE(says(can, "ids: counted"));
  can.reasoning_start = ReasoningStart::opened;
  EXPECT_TRUE(says(can, "reasoning not kept, begun by the prompt,"));
  can.reasoning_start = ReasoningStart::closed;
  EXPECT_TRUE(says(can, "reasoning not kept, skipped by the prompt,"));
  can.reasoning_start = ReasoningStart::only_closing;
  EXPECT_TRUE(says(can, "reasoning not kept, only closed by the model,"));
}

}  // namespace
}  // namespace parley::orchestration::prompt
