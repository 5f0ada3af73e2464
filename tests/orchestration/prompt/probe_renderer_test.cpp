#include "orchestration/prompt/probe_renderer.h"

#include <gtest/gtest.h>

#include "orchestration/prompt/origins.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

using Tools = ProbeRenderer::Tools;

class ProbeRendererTest : public testing::Test {
 protected:
  void use(std::string_view source) {
    renderer_ = std::make_unique<TemplateRenderer>(source, kFakeTokenizer);
    probe_ = std::make_unique<ProbeRenderer>(*renderer_);
  }
  std::optional<std::string> render(const MessageParts& parts, Tools tools = Tools::none) const {
    return probe_->render(parts, {}, tools, GenerationPrompt::absent);
  }

  std::unique_ptr<TemplateRenderer> renderer_;
  std::unique_ptr<ProbeRenderer> probe_;
};

TEST(ProbeParts, HaveTheTextOfOneMessage) {
  const MessagePart question = probe_part(Role::user, kProbeQuestion);
  ASSERT_EQ(question.content.size(), 1u);
  EXPECT_EQ(question.content[0].bytes, "qzquestion");
  EXPECT_EQ(question.content[0].origin, origin_of_message(0));
  EXPECT_TRUE(probe_part(Role::assistant, "").content.empty());
  const MessageCall call = probe_call("id7", kProbeOtherValue);
  EXPECT_EQ(call.name, "qz_tool");
  EXPECT_EQ(call.arguments, R"({"qz_key": "qzother"})");
  const MessagePart result = probe_result(call);
  EXPECT_EQ(result.role, Role::tool);
  EXPECT_EQ(result.content.at(0).bytes, "qzresult");
  EXPECT_EQ(result.call_id, "id7");
  EXPECT_EQ(result.tool_name, "qz_tool");
}

TEST(ProbeParts, ContainsIsOfTextsThatAreThere) {
  EXPECT_TRUE(contains("a qzvalue b", kProbeValue));
  EXPECT_FALSE(contains("a b", kProbeValue));
  EXPECT_FALSE(contains(std::nullopt, ""));
}

TEST_F(ProbeRendererTest, RendersWithToolsAndWithout) {
  use("{{ tools | tojson if tools else 'none' }}{% for m in messages %}<{{ m.content }}>{% endfor %}");
  const MessageParts question = {probe_part(Role::user, kProbeQuestion)};
  EXPECT_EQ(render(question), "none<qzquestion>");
  EXPECT_EQ(render(question, Tools::offered),
            R"([{"type": "function", "function": {"name": "qz_tool", "description": "Does it.", )"
            R"("parameters": {"type": "object", "properties": {"qz_key": {"type": "string", )"
            R"("description": "Which."}}, "required": ["qz_key"]}}}]<qzquestion>)");
}

// Some forty renders make a probe.
TEST_F(ProbeRendererTest, ATemplateThatGoesBeyondItsLimitsIsAskedThreeTimes) {
  use("{% if messages|length > 1 %}{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% "
      "endfor %}"
      "{% endif %}ok");
  const MessagePart question = probe_part(Role::user, kProbeQuestion);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(render({question}), "ok") << i;
    EXPECT_EQ(render({question, question}), std::nullopt) << i;
  }
  EXPECT_EQ(render({question}), std::nullopt);
}

TEST_F(ProbeRendererTest, ATemplateThatNestsMacrosTooDeeplyIsAskedOn) {
  use("{% macro m(v) %}{% for x in v %}{{ m(x) }}{% endfor %}{% endmacro %}"
      "{% if messages|length > 1 %}{{ m('text') }}{% endif %}ok");
  const MessagePart question = probe_part(Role::user, kProbeQuestion);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(render({question, question}), std::nullopt) << i;
  EXPECT_EQ(render({question}), "ok");
}

TEST_F(ProbeRendererTest, ARefusalIsNoText) {
  use("{{ raise_exception('roles must alternate') }}");
  EXPECT_EQ(render({}), std::nullopt);
  EXPECT_FALSE(probe_->shows({}, {}, Tools::none, ""));
}

TEST_F(ProbeRendererTest, ShowsIsOfAllWords) {
  use("{% for m in messages %}{{ m.content }}{% endfor %}{{ 'B' if add_generation_prompt }}");
  const MessageParts both = {probe_part(Role::system, kProbeSystem), probe_part(Role::user, kProbeQuestion)};
  EXPECT_TRUE(probe_->shows(both, {}, Tools::none, kProbeSystem, kProbeQuestion, "B"));
  EXPECT_FALSE(probe_->shows(both, {}, Tools::none, kProbeSystem, kProbeNext));
}

}  // namespace
}  // namespace parley::orchestration::prompt
