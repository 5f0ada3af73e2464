#include "orchestration/prompt/chat_template.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/fakes/fake_tokenizer.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

constexpr const char* kStrict =
    "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for m in messages %}"
    "{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate') }}{% "
    "endif %}"
    "[{{ m.role }}]{{ m.content }}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}";

std::string text_of(std::string_view source, const std::vector<ChatMessage>& messages,
                    GenerationPrompt generation_prompt = GenerationPrompt::present) {
  return ChatTemplate(source, kFakeTokenizer).render(messages, {}, generation_prompt).text;
}

TEST(ChatTemplate, IsChatMlWithoutASource) {
  EXPECT_EQ(text_of("", {system_says("s"), user_says("u")}),
            "<|im_start|>system\ns<|im_end|>\n<|im_start|>user\nu<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(text_of("", {user_says("u")}, GenerationPrompt::absent), "<|im_start|>user\nu<|im_end|>\n");
}

TEST(ChatTemplate, GivesTheNamesOfSpecialTokens) {
  EXPECT_EQ(text_of("{{ bos_token }}{{ messages[0].content }}{{ eos_token }}", {user_says("u")}), "<s>u</s>");
}

TEST(ChatTemplate, GivesWhatTransformersGives) {
  EXPECT_EQ(text_of("{{ tools is none }}{{ documents is none }}{{ add_generation_prompt }}{{ enable_thinking "
                    "is defined }}",
                    {user_says("u")}),
            "TrueTrueTrueFalse");
}

TEST(ChatTemplate, MarksMessagesAsData) {
  const auto rendered = ChatTemplate("", kFakeTokenizer)
                            .render({user_says("one"), assistant_says("two")}, {}, GenerationPrompt::absent);
  std::string marked;
  for (const jinja::OriginRun& run : rendered.runs) {
    if (run.origin == jinja::kTemplateOrigin) continue;
    marked += std::to_string(run.origin) + ":" + rendered.text.substr(run.begin, run.end - run.begin) + ";";
  }
  EXPECT_EQ(marked, "1:one;2:two;");
}

TEST(ChatTemplate, RoleNamesCountAsTheTemplatesText) {
  const auto rendered = ChatTemplate("<|{{ messages[0].role }}|>", kFakeTokenizer)
                            .render({user_says("x")}, {}, GenerationPrompt::absent);
  EXPECT_EQ(rendered.runs, (std::vector<jinja::OriginRun>{{0, 8, jinja::kTemplateOrigin}}));
}

TEST(ChatTemplate, MergesSystemTextThatTheTemplateRefuses) {
  EXPECT_EQ(text_of(kStrict, {system_says("be brief"), user_says("u"), assistant_says("a"), user_says("v")}),
            "[user]be brief\n\nu[assistant]a[user]v[assistant]");
}

TEST(ChatTemplate, MergesSystemTextThatTheTemplateDoesNotShow) {
  const char* ignores =
      "{% for m in messages if m.role != 'system' %}[{{ m.role }}]{{ m.content }}{% endfor %}";
  EXPECT_EQ(text_of(ignores, {system_says("s"), user_says("u")}), "[user]s\n\nu");
}

TEST(ChatTemplate, SystemTextAtTheEndIsNotLost) {
  EXPECT_EQ(text_of(kStrict, {user_says("u"), assistant_says("a"), system_says("s")}),
            "[user]u[assistant]a[user]s\n\n[assistant]");
}

TEST(ChatTemplate, MergesUsersInARowThatTheTemplateRefuses) {
  EXPECT_EQ(text_of(kStrict, {user_says("u"), user_says("v"), user_says("w")}),
            "[user]u\n\nv\n\nw[assistant]");
  EXPECT_EQ(text_of("", {user_says("u"), user_says("v")}, GenerationPrompt::absent),
            "<|im_start|>user\nu<|im_end|>\n<|im_start|>user\nv<|im_end|>\n");
}

TEST(ChatTemplate, MergesManyUsersInARowInLinearTime) {
  std::vector<ChatMessage> messages;
  std::string expected = "[user]";
  for (int i = 0; i < 20'000; ++i) {
    messages.push_back(user_says(std::string(100, 'x')));
    expected += (i == 0 ? "" : "\n\n") + messages.back().text;
  }
  messages.insert(messages.begin() + 1, system_says("s"));
  expected.insert(std::string("[user]").size() + 100, "\n\ns");
  EXPECT_EQ(text_of(kStrict, messages), expected + "[assistant]");  // copying it each time: 20 GB
}

TEST(ChatTemplate, KeepsTheWordsOfARefusal) {
  try {
    text_of(kStrict, {assistant_says("a"), user_says("u")});
    FAIL() << "should be refused";
  } catch (const jinja::TemplateError& error) {
    EXPECT_NE(std::string(error.what()).find("Roles must alternate"), std::string::npos);
  }
}

TEST(ChatTemplate, MayRefuseEverything) {
  EXPECT_THROW(text_of("{{ raise_exception('no') }}", {user_says("u")}), jinja::TemplateError);
  EXPECT_THROW(ChatTemplate("{% if", kFakeTokenizer), jinja::TemplateError);
}

TEST(ChatTemplate, HasRoomForAHugeConversation) {
  std::vector<ChatMessage> messages;
  for (int i = 0; i < 20'000; ++i)
    messages.push_back(i % 2 == 0 ? user_says("question") : assistant_says("answer"));
  messages.push_back(user_says(std::string(20u << 20, 'x')));
  EXPECT_GT(text_of("", messages).size(), 20u << 20);
}

}  // namespace
}  // namespace parley::orchestration::prompt
