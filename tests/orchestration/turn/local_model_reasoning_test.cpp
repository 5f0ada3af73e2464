// The in-process model where models reason: what is reasoning, and what is the answer.

#include <gtest/gtest.h>

#include "tests/orchestration/turn/local_model_fixture.h"

namespace parley::orchestration::turn {
namespace {

const std::string kOsloCall =
    "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>";

class LocalModelReasoning : public LocalModelTest {
 protected:
  LocalModelReasoning() { open_with(ToolProfile::native); }
};

TEST_F(LocalModelReasoning, ReasoningIsApartFromTheAnswerWithAndWithoutTools) {
  reading_.reasoning = Reasoning::possible;
  open_with(ToolProfile::native);
  generate("<think>\nHm.\n</think>\n\nHello " + kOsloCall);
  const Whole with_tools = read(request_with_tools());
  EXPECT_EQ(with_tools.reasoning, "Hm.");
  EXPECT_EQ(with_tools.calls, std::vector<std::string>{R"(get_weather {"city": "Oslo"})"});
  const Whole without = read(request());
  EXPECT_EQ(without.reasoning, "Hm.");
  EXPECT_EQ(without.text, "Hello " + kOsloCall);
  EXPECT_EQ(toy_text(without.ids), "<think>\nHm.\n</think>\n\nHello " + kOsloCall);
}

TEST_F(LocalModelReasoning, APromptThatEndsInReasoningBeginsWithIt) {
  reasoning_start_ = calls::ReasoningStart::opened;
  open_with(ToolProfile::native);
  generate("Hm.</think>Hello");
  const Whole whole = read(request());
  EXPECT_EQ(whole.reasoning, "Hm.");
  EXPECT_EQ(whole.text, "Hello");
}

TEST_F(LocalModelReasoning, ReasoningThatIsCarriedOnStaysReasoning) {
  reasoning_start_ = calls::ReasoningStart::inside;
  open_with(ToolProfile::native);
  generate(" more.\n</think>\n\nHello");
  for (ChatRequest chat : {request(), request_with_tools()}) {
    const Whole whole = read(std::move(chat));
    EXPECT_EQ(whole.reasoning, " more.");
    EXPECT_EQ(whole.text, "Hello");
  }
}

TEST_F(LocalModelReasoning, WithoutToolsAModelThatDoesNotReasonWritesWhatItWants) {
  const std::string text = "<think>no</think> " + kOsloCall + " {\"name\": 1} \xF0\x9F\x98\x80\n\n";
  generate(text);
  const Whole whole = read(request());
  EXPECT_EQ(whole.text, text);
  EXPECT_EQ(whole.reasoning, "");
  EXPECT_EQ(engine_->request(0).constraint, nullptr);
}

}  // namespace
}  // namespace parley::orchestration::turn
