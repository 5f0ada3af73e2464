#include "retrieval/search/hybrid_retriever.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/retrieval/search/store_with_vectors.h"

namespace parley::retrieval::search {
namespace {

using index::Texts;

class HybridRetrieverTest : public ::testing::Test {
 protected:
  SearchAnswer ask(Retriever& retriever, const std::string& question, int limit = 10, int max_per_file = 0) {
    SearchRequest request;
    request.question = question;
    request.limit = limit;
    request.max_per_file = max_per_file;
    return retriever.search(request);
  }
  static Texts texts_of(const SearchAnswer& answer) {
    Texts texts;
    for (const FoundPassage& found : answer.passages) texts.push_back(found.passage.text);
    return texts;
  }

  ToyEmbedder embedder{{{"cat", 0}, {"kitten", 0}, {"car", 1}, {"engine", 1}}};
  StoreWithVectors on_disk{embedder};
  index::CollectionId docs = on_disk.collection("docs");
};

TEST_F(HybridRetrieverTest, SearchesWordsAloneWithoutAModelAndSaysSo) {
  on_disk.file_with(docs, "a", "The kitten sleeps.\nThe engine runs.");
  const auto retriever = make_hybrid_retriever(*on_disk.store, {});
  const SearchAnswer answer = ask(*retriever, "Where do kittens sleep?");
  EXPECT_EQ(texts_of(answer), Texts{"The kitten sleeps."});
  EXPECT_EQ(answer.note, "There is no embedding model: only words are compared.");
  EXPECT_EQ(answer.passages[0].score, 1.0);
  EXPECT_GT(answer.passages[0].parts.text.value(), 0.0);
  EXPECT_FALSE(answer.passages[0].parts.vector.has_value());
  EXPECT_EQ(answer.passages[0].passage.path, "a");
}

TEST_F(HybridRetrieverTest, FindsByMeaningWhatHasNoneOfTheWords) {
  on_disk.embedded(docs, "a", "the kitten sleeps\nthe engine runs");
  const auto retriever = make_hybrid_retriever(*on_disk.store, {.embedder = &embedder, .vector_file = {}});
  const SearchAnswer answer = ask(*retriever, "cat");
  ASSERT_FALSE(answer.passages.empty());
  EXPECT_EQ(answer.passages[0].passage.text, "the kitten sleeps");
  EXPECT_EQ(answer.note, "");
  EXPECT_GT(answer.passages[0].parts.vector.value(), 0.9);
  EXPECT_FALSE(answer.passages[0].parts.text.has_value());
}

TEST_F(HybridRetrieverTest, PutsFirstWhatBothFind) {
  on_disk.embedded(docs, "a", "a kitten alone\nthe word sleeps alone\nthe kitten sleeps\nan engine");
  const auto retriever = make_hybrid_retriever(*on_disk.store, {.embedder = &embedder, .vector_file = {}});
  const SearchAnswer answer = ask(*retriever, "cat sleeps");
  EXPECT_EQ(answer.passages[0].passage.text, "the kitten sleeps");
  EXPECT_TRUE(answer.passages[0].parts.text.has_value());
  EXPECT_TRUE(answer.passages[0].parts.vector.has_value());
}

TEST_F(HybridRetrieverTest, SaysHowManyPassagesAreNotEmbedded) {
  on_disk.file_with(docs, "a", "the kitten sleeps\nthe engine runs");
  const auto retriever = make_hybrid_retriever(*on_disk.store, {.embedder = &embedder, .vector_file = {}});
  const SearchAnswer answer = ask(*retriever, "kitten");
  EXPECT_EQ(texts_of(answer), Texts{"the kitten sleeps"});
  EXPECT_EQ(answer.note, "2 passages are not embedded yet: of those only words are compared.");
}

TEST_F(HybridRetrieverTest, FallsBackFromPhrasesThatNobodyHas) {
  on_disk.file_with(docs, "a", "a connection that was refused\nsomething else");
  const auto retriever = make_hybrid_retriever(*on_disk.store, {});
  EXPECT_EQ(texts_of(ask(*retriever, "\"connection refused\"")), Texts{"a connection that was refused"});
  on_disk.file_with(docs, "b", "connection refused");
  EXPECT_EQ(texts_of(ask(*retriever, "\"connection refused\"")), Texts{"connection refused"});
}

TEST_F(HybridRetrieverTest, GivesAsManyAsWantedThatDiffer) {
  for (int i = 0; i < 40; ++i) on_disk.file_with(docs, "copy" + std::to_string(i), "apple");
  on_disk.file_with(docs, "other", "an apple and many other words\nan apple and some more words to read");
  const auto retriever = make_hybrid_retriever(*on_disk.store, {});
  EXPECT_EQ(ask(*retriever, "apple", 3).passages.size(), 3u);
  EXPECT_EQ(ask(*retriever, "apple", 3, 1).passages.size(), 2u);
  EXPECT_TRUE(ask(*retriever, "apple", 0).passages.empty());
}

TEST_F(HybridRetrieverTest, StaysInTheCollectionsThatAreWanted) {
  on_disk.embedded(docs, "a", "a kitten");
  const index::CollectionId other = on_disk.collection("other");
  on_disk.embedded(other, "b", "another kitten");
  const auto retriever = make_hybrid_retriever(*on_disk.store, {.embedder = &embedder, .vector_file = {}});
  SearchRequest request;
  request.question = "kitten cat";
  request.collections = {other};
  EXPECT_EQ(texts_of(retriever->search(request)), Texts{"another kitten"});
}

TEST_F(HybridRetrieverTest, BearsQuestionsWithoutWords) {
  on_disk.embedded(docs, "a", "a kitten");
  const auto words = make_hybrid_retriever(*on_disk.store, {});
  for (const char* question : {"", "???", "\"", "\xff", "the"})
    EXPECT_TRUE(ask(*words, question).passages.empty());
}

TEST_F(HybridRetrieverTest, AnswersManyAtOnceBesideTheWriter) {
  on_disk.embedded(docs, "a", "a kitten stays");
  const auto retriever = make_hybrid_retriever(*on_disk.store, {});
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> askers;
  askers.reserve(4);
  for (int i = 0; i < 4; ++i) {
    askers.emplace_back([&] {
      while (!done) {
        if (texts_of(ask(*retriever, "kitten")) != Texts{"a kitten stays"}) ++wrong;
      }
    });
  }
  for (int i = 0; i < 40; ++i) on_disk.file_with(docs, "b", "an engine " + std::to_string(i), i + 1);
  done = true;
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace parley::retrieval::search
