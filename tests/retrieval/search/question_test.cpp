#include "retrieval/search/question.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "retrieval/search/stop_words.h"

namespace parley::retrieval::search {
namespace {

using Words = std::vector<std::string>;

Words terms_of(std::string_view question) { return analyse_question(question).query.terms; }

TEST(Question, KeepsTheWordsThatSaySomething) {
  EXPECT_EQ(terms_of("How do I sort a Hash by its values?"), (Words{"sort", "hash", "values"}));
  EXPECT_EQ(terms_of("sort sort SORT"), Words{"sort"});
}

TEST(Question, KeepsStopWordsWhenThereIsNothingElse) {
  EXPECT_EQ(terms_of("To be or not to be"), (Words{"to", "be", "or", "not"}));
  EXPECT_EQ(terms_of("What is this?"), (Words{"what", "is", "this"}));
  EXPECT_TRUE(terms_of("?!").empty());
}

TEST(Question, KeepsIdentifiersAsTheyAreWritten) {
  EXPECT_EQ(terms_of("Where is getUserName called in os.path?"), (Words{"getUserName", "called", "os.path"}));
  EXPECT_EQ(terms_of("日本語を検索する方法"), Words{"日本語を検索する方法"});
}

TEST(Question, TakesQuotesForPhrases) {
  for (const char* text : {"fix \"connection refused\" in nginx", "fix “connection refused” in nginx",
                           "fix «connection refused» in nginx", "fix „connection refused“ in nginx"}) {
    const AnalysedQuestion question = analyse_question(text);
    EXPECT_EQ(question.query.phrases, Words{"connection refused"}) << text;
    EXPECT_EQ(question.query.terms, (Words{"fix", "nginx"})) << text;
    Words all = question.without_phrases.terms;
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, (Words{"connection", "fix", "nginx", "refused"})) << text;
    EXPECT_TRUE(question.without_phrases.phrases.empty());
  }
}

TEST(Question, TakesAQuotedWordForAWord) {
  EXPECT_EQ(terms_of("what is \"nginx\" for"), Words{"nginx"});
  EXPECT_TRUE(analyse_question("what is \"nginx\" for").query.phrases.empty());
  EXPECT_EQ(terms_of("5\" disk"), (Words{"5", "disk"}));
}

TEST(Question, TrustsFullTextMoreForNamesAndQuotes) {
  const double plain = analyse_question("How can I make my program faster?").text_weight;
  EXPECT_GT(analyse_question("How can I make getUserName faster?").text_weight, plain);
  EXPECT_GT(analyse_question("error 0x80070005 in setup program").text_weight, plain);
  EXPECT_GT(analyse_question("Where does \"my program\" start?").text_weight, plain);
  EXPECT_GT(analyse_question("nginx proxy").text_weight, plain);
  EXPECT_LE(analyse_question("\"a b\" getName 3.11").text_weight, 1.0);
}

TEST(Question, BearsVeryLongOnes) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "word" + std::to_string(i) + " ";
  EXPECT_LE(terms_of(text).size(), 64u);
}

TEST(StopWords, AreKnown) {
  for (const char* word : {"a", "the", "how", "your", "don"}) EXPECT_TRUE(is_stop_word(word)) << word;
  for (const char* word : {"", "perl", "file", "The"}) EXPECT_FALSE(is_stop_word(word)) << word;
}

}  // namespace
}  // namespace parley::retrieval::search
