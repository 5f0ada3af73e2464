// Against a WordPiece count by the `tokenizers` library (tests/goldens/chunking).

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "retrieval/chunking/chunker.h"
#include "tests/retrieval/chunking/document_maker.h"

namespace parley::retrieval::chunking {
namespace {

struct Golden {
  int num_tokens = 0;
  std::string text;
};

std::vector<Golden> goldens() {
  std::ifstream file(PARLEY_SOURCE_DIR "/tests/goldens/chunking/prose_tokens.tsv");
  std::vector<Golden> all;
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    all.push_back({.num_tokens = std::stoi(line.substr(0, tab)), .text = line.substr(tab + 1)});
  }
  return all;
}

TEST(WordCounter, CountsEnglishProseWithinAFifthOfWordPiece) {
  const auto counter = make_word_counter();
  const std::vector<Golden> all = goldens();
  ASSERT_GE(all.size(), 20U);
  int theirs = 0;
  int ours = 0;
  for (const Golden& golden : all) {
    const int count = counter->count(golden.text);
    EXPECT_NEAR(count, golden.num_tokens, 0.2 * golden.num_tokens) << golden.text;
    theirs += golden.num_tokens;
    ours += count;
  }
  EXPECT_NEAR(ours, theirs, 0.05 * theirs);
}

TEST(WordCounter, CountsWordsMarksAndPiecesOfLongWords) {
  const auto counter = make_word_counter();
  EXPECT_EQ(counter->count(""), 0);
  EXPECT_EQ(counter->count(" \n\t"), 0);
  EXPECT_EQ(counter->count("one two"), 2);
  EXPECT_EQ(counter->count("don't."), 4);
  EXPECT_EQ(counter->count("snake_case"), 3);
  EXPECT_EQ(counter->count("internationalisation"), 4);
  EXPECT_EQ(counter->count("1984"), 2);
  EXPECT_EQ(counter->count("----------"), 10);
}

TEST(WordCounter, CountsOtherScripts) {
  const auto counter = make_word_counter();
  EXPECT_EQ(counter->count("東京都"), 3);
  EXPECT_EQ(counter->count("für Über"), 2);
  EXPECT_GE(counter->count("ภาษาไทยเป็นภาษา"), 4);
  EXPECT_GE(counter->count("\xFF\xFE broken"), 1);
}

TEST(WordCounter, NeverTakesMuchTextForFewTokens) {
  const auto counter = make_word_counter();
  EXPECT_GE(counter->count(repeated("QUJD", 10'000)), 9'000);
}

TEST(WordCounter, CountsOnSeveralThreadsAtATime) {
  const auto counter = make_word_counter();
  const std::string text = repeated("naïve 東京 words ", 50);
  const int expected = counter->count(text);
  std::vector<int> counts(4);
  {
    std::vector<std::jthread> threads;
    for (int& count : counts) {
      threads.emplace_back([&count, &text, &counter] {
        for (int round = 0; round < 100; ++round) {
          count = counter->count(text);
        }
      });
    }
  }
  EXPECT_EQ(counts, std::vector<int>(4, expected));
}

}  // namespace
}  // namespace parley::retrieval::chunking
