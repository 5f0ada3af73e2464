#include "orchestration/prompt/template_probe.h"

#include <gtest/gtest.h>

#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

using calls::IdRule;
using calls::ReasoningStart;

TemplateCapabilities probe(std::string_view source) {
  return probe_template(TemplateRenderer(source, kFakeTokenizer));
}

// A template with one way to write calls: `call` is put where they stand.
std::string with_calls(const std::string& call, const std::string& beginning = "<a>") {
  return "{% for t in tools or [] %}{{ t | tojson }}{% endfor %}{% for m in messages %}"
         "{% if m.role == 'assistant' %}<a>{{ m.content or '' }}"
         "{% for c in m.tool_calls or [] %}" +
         call +
         "{% endfor %}</s>"
         "{% else %}<{{ m.role }}>{{ m.content }}{% endif %}{% endfor %}"
         "{% if add_generation_prompt %}" +
         beginning + "{% endif %}";
}
constexpr const char* kJsonCall =
    "<c>{{ c.function.name }}{{ c.function.arguments if c.function.arguments is string else "
    "c.function.arguments | tojson }}";

TEST(TemplateProbe, KnowsQwen25) {
  const TemplateCapabilities can = probe(golden_template("qwen2.5-coder-0.5b.jinja"));
  EXPECT_EQ(to_text(can),
            "system, tools, calls (arguments as objects, parallel, ids: not shown), results, reasoning not "
            "kept, replays generated answers, keeps prefixes");
  EXPECT_TRUE(can.prose_beside_calls && can.null_content && can.users_in_a_row);
}

TEST(TemplateProbe, KnowsQwen3) {
  const TemplateCapabilities can = probe(golden_template("qwen3.jinja"));
  EXPECT_TRUE(can.tools && can.calls && can.results && can.parallel_calls && can.object_arguments);
  EXPECT_TRUE(can.string_arguments);
  EXPECT_EQ(can.reasoning_field, "reasoning_content");
  EXPECT_TRUE(can.reasoning_in_loop);
  EXPECT_FALSE(can.reasoning_kept);
  EXPECT_EQ(can.reasoning_open, "<think>\n");
  EXPECT_EQ(can.reasoning_close, "\n</think>\n\n");
  EXPECT_EQ(can.reasoning_start, ReasoningStart::model_opens);
  EXPECT_TRUE(can.replays_answers);
}

TEST(TemplateProbe, KnowsATemplateWithoutTools) {
  for (const std::string& source : {golden_template("smollm2-135m.jinja"), std::string()}) {
    const TemplateCapabilities can = probe(source);
    EXPECT_TRUE(can.system);
    EXPECT_FALSE(can.tools || can.xml_tools || can.calls);
    EXPECT_TRUE(can.replays_answers);
    EXPECT_TRUE(can.keeps_prefix);
  }
}

TEST(TemplateProbe, FindsTheFormOfArguments) {
  EXPECT_TRUE(probe(with_calls(kJsonCall)).object_arguments);
  const auto dumped = probe(with_calls("<c>{{ c.function.name }}{{ c.function.arguments | tojson }}"));
  EXPECT_TRUE(dumped.object_arguments && dumped.string_arguments);
  const auto text_only = probe(with_calls("<c>{{ c.function.name + c.function.arguments }}"));
  EXPECT_TRUE(text_only.calls && text_only.string_arguments);
  EXPECT_FALSE(text_only.object_arguments);
  const auto items = probe(with_calls(
      "<c>{{ c.function.name }}{% for k, v in c.function.arguments.items() %}<{{ k }}>{{ v }}{% endfor %}"));
  EXPECT_TRUE(items.object_arguments);
  EXPECT_FALSE(items.string_arguments);
}

TEST(TemplateProbe, FindsTheRuleOfIds) {
  const std::string strict =
      std::string("{% if c.id|length != 9 %}{{ raise_exception('ids') }}{% endif %}") + kJsonCall;
  EXPECT_EQ(probe(with_calls(strict)).id_rule, IdRule::nine_alphanumerics);
  EXPECT_EQ(probe(with_calls("<c>{{ c.id }}{{ c.function.arguments | tojson }}")).id_rule,
            IdRule::functions_and_count);
  EXPECT_EQ(probe(with_calls(kJsonCall)).id_rule, IdRule::free);
  EXPECT_FALSE(probe(with_calls(kJsonCall)).ids_shown);
  EXPECT_TRUE(probe(with_calls(std::string("{{ c.id }}") + kJsonCall)).ids_shown);
}

TEST(TemplateProbe, FindsTemplatesWithOneCallAnAnswer) {
  const std::string one =
      std::string("{% if m.tool_calls|length > 1 %}{{ raise_exception('one') }}{% endif %}") + kJsonCall;
  const TemplateCapabilities can = probe(with_calls(one));
  EXPECT_TRUE(can.calls);
  EXPECT_FALSE(can.parallel_calls);
}

TEST(TemplateProbe, FindsWhereReasoningStarts) {
  const std::string plain = kJsonCall;
  EXPECT_EQ(probe(with_calls(plain)).reasoning_start, ReasoningStart::model_opens);
  EXPECT_EQ(probe(with_calls(plain, "<a><think>\n")).reasoning_start, ReasoningStart::opened);
  EXPECT_EQ(probe(with_calls(plain, "<a><think>\n\n</think>\n\n")).reasoning_start, ReasoningStart::closed);
  EXPECT_EQ(probe(with_calls(plain, "<a><think>\n")).answer_lead, "<think>\n");
  const std::string closes =
      "{% for m in messages %}[{{ m.role }}]{{ m.reasoning_content ~ '[/R]' if m.reasoning_content }}"
      "{{ m.content }}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}";
  EXPECT_EQ(probe(closes).reasoning_start, ReasoningStart::only_closing);
  const std::string always =
      "{% for m in messages %}[{{ m.role }}]{% if m.role == 'assistant' %}<think>{{ m.reasoning_content "
      "}}</think>"
      "{% endif %}{{ m.content }}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}";
  EXPECT_EQ(probe(always).reasoning_start, ReasoningStart::model_opens);
  EXPECT_EQ(probe(always).reasoning_open, "<think>");
  EXPECT_EQ(probe(with_calls(plain, "<a><|channel>thought\n<channel|>")).reasoning_start,
            ReasoningStart::closed);
}

TEST(TemplateProbe, FindsTypedContentAndXmlTools) {
  const auto typed =
      probe("{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}");
  EXPECT_TRUE(typed.typed_content && typed.system);
  const auto xml = probe("{{ xml_tools }}{% for m in messages %}{{ m.content }}{% endfor %}");
  EXPECT_TRUE(xml.xml_tools);
  EXPECT_FALSE(xml.tools);
}

// Ends a turn with calls otherwise than one of text, so that no text can stand for it.
TEST(TemplateProbe, FindsTemplatesThatWriteCallsOtherwiseThanText) {
  const std::string source =
      "{% for t in tools or [] %}{{ t | tojson }}{% endfor %}{% for m in messages %}{% if m.role == "
      "'assistant' %}<a>"
      "{% if m.tool_calls %}{% for c in m.tool_calls %}<c>{{ c.function.name }}{{ c.function.arguments | "
      "tojson }}"
      "{% endfor %}</c>{% else %}{{ m.content }}</s>{% endif %}{% else %}<{{ m.role }}>{{ m.content }}{% "
      "endif %}"
      "{% endfor %}{% if add_generation_prompt %}<a>{% endif %}";
  const TemplateCapabilities can = probe(source);
  EXPECT_TRUE(can.calls && can.results && can.keeps_prefix);
  EXPECT_FALSE(can.replays_answers);
  EXPECT_TRUE(can.places_answers);
  EXPECT_NE(to_text(can).find(", replays generated answers where they stood,"), std::string::npos)
      << to_text(can);
}

TEST(TemplateProbe, LeavesConversationsToATemplateThatRefusesEverything) {
  const TemplateCapabilities can = probe("{{ raise_exception('no') }}");
  EXPECT_TRUE(can.tools && can.calls && can.results);
  EXPECT_FALSE(can.replays_answers);
}

}  // namespace
}  // namespace parley::orchestration::prompt
