#include "orchestration/prompt/stored_ids.h"

#include <gtest/gtest.h>

#include <string>

#include "orchestration/prompt/chat_template.h"
#include "orchestration/prompt/normalised_messages.h"
#include "tests/fakes/fake_tokenizer.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

using fakes::byte_ids;
using fakes::FakeTokenizer;

std::string spelled(const std::vector<std::int32_t>& ids, std::string_view text) {
  const auto prefix = match_ids(kFakeTokenizer, ids, text);
  if (!prefix) return "none";
  return std::to_string(prefix->num_ids) + " ids, " + std::to_string(prefix->num_bytes) + " bytes";
}

TEST(StoredIds, SpellTheirText) {
  EXPECT_EQ(spelled(byte_ids("hello"), "hello"), "5 ids, 5 bytes");
  EXPECT_EQ(spelled(kFakeTokenizer.encode("hello"), "hello"), "3 ids, 5 bytes");
}

TEST(StoredIds, DoNotMatchAnotherText) {
  EXPECT_EQ(spelled(byte_ids("hello"), "jello"), "none");
  EXPECT_EQ(spelled(byte_ids("hello"), ""), "none");
  EXPECT_EQ(spelled({}, "hello"), "none");
}

TEST(StoredIds, AreKeptUpToWhereTheTextDiffers) {
  EXPECT_EQ(spelled(byte_ids("hello"), "help!"), "3 ids, 3 bytes");
  EXPECT_EQ(spelled(kFakeTokenizer.encode("hello"), "held"), "1 ids, 2 bytes");  // he|ll|o
  EXPECT_EQ(spelled(byte_ids("ok \xff!"), "ok \uFFFD!"), "3 ids, 3 bytes");
  EXPECT_EQ(spelled(byte_ids("ok \xef\xbf"), "ok \uFFFD"), "3 ids, 3 bytes");  // not inside a character
  EXPECT_EQ(spelled(byte_ids("ok \xef\xbb and more"), "ok \uFFFD and more"), "3 ids, 3 bytes");
  EXPECT_EQ(spelled(byte_ids("\xe2\x82"), "\uFFFD"), "none");
  EXPECT_EQ(spelled(byte_ids("\xe2"), "\u20ac"), "none");
}

TEST(StoredIds, OfTheTurnsEndAreNotPartOfTheText) {
  std::vector<std::int32_t> ids = byte_ids("hi");
  ids.push_back(FakeTokenizer::kImEnd);
  EXPECT_EQ(spelled(ids, "hi"), "2 ids, 2 bytes");
}

TEST(StoredIds, StopWhereTheTextWasCut) {
  EXPECT_EQ(spelled(byte_ids("hello STOP"), "hello "), "6 ids, 6 bytes");
  EXPECT_EQ(spelled(kFakeTokenizer.encode("hello"), "hel"), "1 ids, 2 bytes");  // he|ll|o cut inside "ll"
  EXPECT_EQ(spelled(byte_ids("ok \xe2\x82"), "ok "), "3 ids, 3 bytes");
}

TEST(StoredIds, SpellTheBeginningOfALongerText) {
  EXPECT_EQ(spelled(byte_ids("hello"), "hello world"), "5 ids, 5 bytes");
}

TEST(StoredIds, MayHoldSpecialTokensThatTheTextLeavesOut) {
  std::vector<std::int32_t> ids = byte_ids("a");
  ids.push_back(FakeTokenizer::kBos);
  ids.push_back('b');
  EXPECT_EQ(spelled(ids, "ab"), "3 ids, 2 bytes");
  EXPECT_EQ(spelled(ids, "a<s>b"), "3 ids, 5 bytes");
  EXPECT_EQ(spelled(ids, "a</s>b"), "1 ids, 1 bytes");
}

TEST(StoredIds, OfAnotherModelDoNotMatch) {
  EXPECT_EQ(spelled({'a', 100'000}, "ab"), "none");
  EXPECT_EQ(spelled({-1}, "a"), "none");
}

std::vector<std::string> splices_in(std::string_view source, const std::vector<ChatMessage>& messages) {
  const ChatTemplate chat_template(source, kFakeTokenizer);
  const jinja::Rendered rendered = chat_template.render(messages, {}, GenerationPrompt::present);
  std::vector<std::string> texts;
  const auto splices = find_splices(kFakeTokenizer, rendered, messages, {});
  for (const Splice& splice : splices.value()) {
    EXPECT_EQ(kFakeTokenizer.decode(splice.ids, false),
              rendered.text.substr(splice.begin, splice.end - splice.begin));
    texts.push_back(rendered.text.substr(splice.begin, splice.end - splice.begin));
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Splices, AreTheAnswersWithIds) {
  const std::vector<ChatMessage> chat = {user_says("u"),   assistant_says("one", byte_ids("one")),
                                         user_says("one"), assistant_says("two"),
                                         user_says("v"),   assistant_says("three", byte_ids("three"))};
  EXPECT_EQ(splices_in("", chat), (Texts{"one", "three"}));
}

TEST(Splices, AreNotMadeForUsers) {
  std::vector<ChatMessage> chat = {user_says("u")};
  chat[0].token_ids = byte_ids("u");
  EXPECT_TRUE(splices_in("", chat).empty());
}

TEST(Splices, FollowATemplateThatTrims) {
  const char* trims = "{% for m in messages %}<{{ m.content|trim }}>{% endfor %}";
  EXPECT_EQ(splices_in(trims, {assistant_says("kept", byte_ids("kept"))}), (Texts{"kept"}));
  EXPECT_EQ(splices_in(trims, {assistant_says("end \n", byte_ids("end \n"))}), (Texts{"end"}));
  EXPECT_TRUE(splices_in(trims, {assistant_says(" begin", byte_ids(" begin"))}).empty());
}

TEST(Splices, AreNotMadeWhereTheTemplateShowsAnotherText) {
  for (const char* source :
       {"{% for m in messages %}{{ m.content|upper }}{% endfor %}",
        "{% for m in messages %}{{ m.content }}{{ m.content }}-{{ m.content }}{% endfor %}",
        "{% for m in messages %}{{ m.content.replace('a', '') }}{% endfor %}", "nothing"}) {
    EXPECT_TRUE(splices_in(source, {assistant_says("abc", byte_ids("abc"))}).empty()) << source;
  }
}

TEST(Splices, EndWhereTheTemplateShowsAnotherText) {
  const char* shortens = "{% for m in messages %}{{ m.content.replace('c', '') }}{% endfor %}";
  EXPECT_EQ(splices_in(shortens, {assistant_says("abcd", byte_ids("abcd"))}), (Texts{"ab"}));
}

TEST(Splices, OfReplayedAnswersStandWhateverTheySpell) {
  const std::vector<std::int32_t> ids = byte_ids("other");
  const std::string text = "<" + std::string(kReplayedText) + ">";
  jinja::Rendered rendered{text, {{0, 1, 0}, {1, text.size() - 1, 1}, {text.size() - 1, text.size(), 0}}};
  const auto splices = find_splices(kFakeTokenizer, rendered, {assistant_says("x")}, {ids});
  ASSERT_TRUE(splices.has_value());
  ASSERT_EQ(splices->size(), 1u);
  EXPECT_EQ(splices->front().begin, 1u);
  EXPECT_EQ(splices->front().end, text.size() - 1);
  EXPECT_EQ(splices->front().ids.data(), ids.data());
  rendered.runs[1].origin = 2;  // the template shows something else there
  EXPECT_FALSE(find_splices(kFakeTokenizer, rendered, {assistant_says("x")}, {ids}).has_value());
}

TEST(Splices, AscendWhateverTheTemplatesOrder) {
  const char* backwards = "{% for m in messages[::-1] %}{{ m.content }};{% endfor %}";
  const std::vector<ChatMessage> chat = {assistant_says("one", byte_ids("one")),
                                         assistant_says("two", byte_ids("two"))};
  EXPECT_EQ(splices_in(backwards, chat), (Texts{"two", "one"}));
}

}  // namespace
}  // namespace parley::orchestration::prompt
