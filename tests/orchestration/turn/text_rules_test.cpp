// Titles, UTF-8, identifiers and history: the small pure parts of the turn.
#include <gtest/gtest.h>

#include <set>

#include "orchestration/turn/chat_history.h"
#include "orchestration/turn/command_checks.h"
#include "orchestration/turn/title.h"
#include "orchestration/turn/utf8.h"
#include "orchestration/turn/uuid.h"

namespace parley::orchestration::turn {
namespace {

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(Utf8, KnowsWhatIsValid) {
  for (const char* good : {"", "a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\x9F\xBF",
                           "\xEE\x80\x80", "\xF4\x8F\xBF\xBF", "\x7f"}) {
    EXPECT_TRUE(is_valid_utf8(good)) << good;
  }
  for (const char* bad :
       {"\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "a\xE2\x82", "\xE2\x28\xA1"}) {
    EXPECT_FALSE(is_valid_utf8(bad)) << bad;
  }
  EXPECT_TRUE(is_valid_utf8(std::string_view("\0", 1)));
}

TEST(Utf8, KnowsWhereCharactersBegin) {
  const std::string text = "a\xC3\xA4";
  EXPECT_TRUE(is_character_border(text, 0));
  EXPECT_TRUE(is_character_border(text, 1));
  EXPECT_FALSE(is_character_border(text, 2));
  EXPECT_TRUE(is_character_border(text, 3));
  EXPECT_FALSE(is_character_border(text, 4));
}

TEST(Title, IsTheFirstLineWithText) {
  EXPECT_EQ(title_from("\n \t\n  How  do I\tcook rice? \nThanks"), "How do I cook rice?");
  EXPECT_EQ(title_from("\r\nx\r\ny"), "x");
  EXPECT_EQ(title_from(""), "");
  EXPECT_EQ(title_from(" \n\xC2\xA0\n"), "");
  EXPECT_EQ(title_from(std::string("a\x01\x1b[31mb\0c", 10)), "a [31mb c");
}

TEST(Title, IsCutAtAWordsBorder) {
  const std::string exact(60, 'x');
  EXPECT_EQ(title_from(exact), exact);
  EXPECT_EQ(title_from(repeated("word ", 12) + "more"), repeated("word ", 11) + "word\u2026");
  EXPECT_EQ(title_from(std::string(70, 'x')), std::string(60, 'x') + "\u2026");
  // A word longer than the tail that may be lost is cut inside.
  EXPECT_EQ(title_from("ab " + std::string(80, 'x')), "ab " + std::string(57, 'x') + "\u2026");
}

TEST(Title, NeverCutsACharacter) {
  EXPECT_EQ(title_from(repeated("\u6f22", 61)), repeated("\u6f22", 60) + "\u2026");
  const std::string accent = "e\u0301";
  EXPECT_EQ(title_from("x" + repeated(accent, 40)), "x" + repeated(accent, 29) + "\u2026");
  const std::string family = "\U0001F468\u200D\U0001F469\u200D\U0001F467";
  EXPECT_EQ(title_from(repeated(family, 13)), repeated(family, 12) + "\u2026");
  EXPECT_TRUE(is_valid_utf8(title_from("a" + repeated("\u0301", 5000))));
  EXPECT_LE(title_from("a" + repeated("\u0301", 5000)).size(), 400u);
  EXPECT_TRUE(is_valid_utf8(title_from(repeated("\U0001F600", 3000))));
}

TEST(Title, IsTidiedButNotCutWhenGivenByTheUser) {
  EXPECT_EQ(tidy_title("  a \n b\t"), "a b");
  EXPECT_EQ(tidy_title(std::string(300, 'x')).size(), 300u);
  EXPECT_FALSE(has_text("\n\u3000 \xC2\x85"));
  EXPECT_TRUE(has_text("\n."));
}

TEST(Uuid, AreDifferentAndWellFormed) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = make_uuid();
    EXPECT_TRUE(is_uuid(id)) << id;
    EXPECT_EQ(id[14], '4');
    EXPECT_NE(std::string("89ab").find(id[19]), std::string::npos);
    seen.insert(id);
  }
  EXPECT_EQ(seen.size(), 1000u);
}

TEST(Uuid, OnlyTheCanonicalFormCounts) {
  EXPECT_TRUE(is_uuid("0190a0b1-c2d3-7e4f-8a9b-0123456789ab"));
  for (const char* bad : {"", "0190a0b1-c2d3-7e4f-8a9b-0123456789a", "0190a0b1-c2d3-7e4f-8a9b-0123456789abc",
                          "0190A0b1-c2d3-7e4f-8a9b-0123456789ab", "0190a0b1+c2d3-7e4f-8a9b-0123456789ab",
                          "0190a0b1c-2d3-7e4f-8a9b-0123456789ab", "g190a0b1-c2d3-7e4f-8a9b-0123456789ab"}) {
    EXPECT_FALSE(is_uuid(bad)) << bad;
  }
}

sessions::Message message(sessions::Role role, const std::string& text) {
  sessions::Message result;
  result.role = role;
  result.text = text;
  result.token_ids = {1};
  return result;
}

TEST(ChatHistory, AlternatesBetweenQuestionsAndAnswers) {
  using sessions::Role;
  sessions::ChatSettings settings;
  settings.system_prompt = "system";
  const auto history = chat_history(
      settings, {message(Role::user, "q1"), message(Role::assistant, ""), message(Role::user, "q2"),
                 message(Role::assistant, "a2"), message(Role::user, "q3")});
  ASSERT_EQ(history.size(), 4u);
  EXPECT_EQ(history[0].text, "system");
  EXPECT_EQ(history[1].text, "q1\n\nq2");
  EXPECT_TRUE(history[1].token_ids.empty());
  EXPECT_EQ(history[2].text, "a2");
  EXPECT_EQ(history[2].token_ids, std::vector<std::int32_t>{1});
  EXPECT_EQ(history[3].text, "q3");
  EXPECT_TRUE(chat_history(sessions::ChatSettings(), {}).empty());
}

TEST(ChatHistory, KnowsWhatTheNewestAnswerLeftOut) {
  using sessions::Role;
  auto answer = message(Role::assistant, "a");
  answer.left_out_turns = 5;
  EXPECT_EQ(left_out_before({message(Role::assistant, "b"), answer, message(Role::user, "q")}), 5);
  EXPECT_EQ(left_out_before({message(Role::user, "q")}), 0);
}

TEST(CommandChecks, SentencesNameTheNumbers) {
  HubLimits limits;
  limits.max_title_bytes = 5;
  const auto error = check_title("123456", limits);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "The title has 6 bytes; at most 5 are allowed. Shorten it.");
  EXPECT_FALSE(check_title("12345", limits));
}

}  // namespace
}  // namespace parley::orchestration::turn
