#include "orchestration/prompt/reasoning_probe.h"

#include <gtest/gtest.h>

#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

using calls::ReasoningStart;

TemplateCapabilities probed(std::string_view source, TemplateCapabilities can = {}) {
  const TemplateRenderer renderer(source, kFakeTokenizer);
  probe_reasoning(ProbeRenderer(renderer), can);
  return can;
}

// `shown` stands before the content of an answer, `beginning` at the end of a prompt.
std::string with_reasoning(const std::string& shown, const std::string& beginning = "[assistant]") {
  return "{% for m in messages %}[{{ m.role }}]{% if m.role == 'assistant' %}" + shown +
         "{% endif %}{{ m.content }};{% endfor %}{% if add_generation_prompt %}" + beginning + "{% endif %}";
}

constexpr const char* kThink =
    "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}";

TEST(ReasoningProbe, FindsTheFieldUnderWhichReasoningIsShown) {
  EXPECT_EQ(probed(with_reasoning(kThink)).reasoning_field, "reasoning_content");
  EXPECT_EQ(probed(with_reasoning("{{ m.thinking }}")).reasoning_field, "thinking");
  EXPECT_EQ(probed(with_reasoning("{{ m.reasoning }}")).reasoning_field, "reasoning");
  const TemplateCapabilities never = probed(with_reasoning("{{ m.thoughts }}"));
  EXPECT_EQ(never.reasoning_field, "");
  EXPECT_FALSE(never.reasoning_kept || never.reasoning_in_loop);
}

TEST(ReasoningProbe, ReasoningMayBeShownBehindTheLastQuestionOnly) {
  const std::string source =
      "{% set ns = namespace(last=0) %}{% for m in messages %}{% if m.role == 'user' %}"
      "{% set ns.last = loop.index0 %}{% endif %}{% endfor %}" +
      with_reasoning(
          "{% if loop.index0 > ns.last %}{{ m.reasoning_content }}{% endif %}"
          "{{ m.tool_calls }}");
  TemplateCapabilities can;
  can.calls = can.results = true;
  EXPECT_TRUE(probed(source, can).reasoning_in_loop);
  EXPECT_FALSE(probed(source, can).reasoning_kept);
  EXPECT_FALSE(probed(source).reasoning_in_loop) << "without calls there is no loop";
  const TemplateCapabilities kept = probed(with_reasoning("{{ m.reasoning_content }}"), can);
  EXPECT_TRUE(kept.reasoning_in_loop && kept.reasoning_kept);
}

TEST(ReasoningProbe, ATemplateWithARuleForIdsIsGivenSuchIds) {
  TemplateCapabilities can;
  can.calls = can.results = true;
  can.id_rule = calls::IdRule::nine_alphanumerics;
  const std::string strict = with_reasoning(
      "{% for c in m.tool_calls or [] %}{% if c.id|length != 9 %}{{ raise_exception('ids') }}{% endif %}"
      "{% endfor %}{{ m.reasoning_content }}");
  EXPECT_TRUE(probed(strict, can).reasoning_in_loop);
}

TEST(ReasoningProbe, LearnsTheMarksFromWhatStandsAround) {
  const TemplateCapabilities can = probed(with_reasoning(kThink));
  EXPECT_EQ(can.reasoning_open, "<think>");
  EXPECT_EQ(can.reasoning_close, "</think>");
  const TemplateCapabilities spaced =
      probed(with_reasoning("{{ '<think>\\n' ~ m.reasoning_content ~ '\\n</think>\\n\\n' }}"));
  EXPECT_EQ(spaced.reasoning_open, "<think>\n");
  EXPECT_EQ(spaced.reasoning_close, "\n</think>\n\n");
  const TemplateCapabilities odd =
      probed(with_reasoning("{{ '((' ~ m.reasoning_content ~ '))' if m.reasoning_content }}"));
  EXPECT_EQ(odd.reasoning_open, "((") << "what comes behind the header of an answer";
  EXPECT_EQ(odd.reasoning_close, "))");
}

// Of Qwen3, by Python's jinja2: "<think>\nSunny.\n</think>\n\nNo." behind the last question, and nothing
// before it.
TEST(ReasoningProbe, KnowsQwen3) {
  TemplateCapabilities can;
  can.calls = can.results = true;
  can = probed(golden_template("qwen3.jinja"), can);
  EXPECT_EQ(can.reasoning_field, "reasoning_content");
  EXPECT_TRUE(can.reasoning_in_loop);
  EXPECT_FALSE(can.reasoning_kept);
  EXPECT_EQ(can.reasoning_open, "<think>\n");
  EXPECT_EQ(can.reasoning_close, "\n</think>\n\n");
  EXPECT_EQ(can.answer_lead, "");
  EXPECT_EQ(can.reasoning_start, ReasoningStart::model_opens);
}

TEST(ReasoningProbe, FindsWhatTheBeginningOfAnAnswerDoes) {
  const auto start = [](const std::string& shown, const std::string& lead) {
    const TemplateCapabilities can = probed(with_reasoning(shown, "[assistant]" + lead));
    EXPECT_EQ(can.answer_lead, lead);
    return can.reasoning_start;
  };
  EXPECT_EQ(start(kThink, ""), ReasoningStart::model_opens);
  EXPECT_EQ(start(kThink, "<think>\n"), ReasoningStart::opened);
  EXPECT_EQ(start(kThink, "<think>\n\n</think>\n\n"), ReasoningStart::closed);
  EXPECT_EQ(start("", "<think>"), ReasoningStart::opened) << "though the template shows no reasoning";
  EXPECT_EQ(start("", "<think></think>"), ReasoningStart::closed);
  EXPECT_EQ(start("", "Well, "), ReasoningStart::model_opens);
  EXPECT_EQ(start("{{ m.reasoning_content ~ '</think>' if m.reasoning_content }}", ""),
            ReasoningStart::only_closing);
}

TEST(ReasoningProbe, ATemplateThatRefusesLeavesTheUsualValues) {
  const TemplateCapabilities can = probed("{{ raise_exception('no') }}");
  EXPECT_EQ(can.reasoning_field, "");
  EXPECT_EQ(can.answer_lead, "");
  EXPECT_EQ(can.reasoning_start, ReasoningStart::model_opens);
}

}  // namespace
}  // namespace parley::orchestration::prompt
