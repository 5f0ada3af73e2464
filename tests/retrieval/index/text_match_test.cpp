// Full text: which passages are found, and in which order.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "tests/retrieval/index/sample_documents.h"

namespace parley::retrieval::index {
namespace {

class MatchText : public ::testing::Test {
 protected:
  void add(const std::string& text) { on_disk.file_with(docs, "f" + std::to_string(++count_), text); }
  Texts phrase(const std::string& text, const std::vector<std::string>& terms = {}) {
    Texts texts;
    const TextQuery query{.terms = terms, .phrases = {text}};
    for (const StoredPassage& found : on_disk.passages(on_disk.store->match_text(query, {}, 10)))
      texts.push_back(found.text);
    return texts;
  }
  StoreOnDisk on_disk;
  CollectionId docs = on_disk.collection("docs");

 private:
  int count_ = 0;
};

TEST_F(MatchText, FindsWordsInOtherForms) {
  add("The servers were restarted.\nÉcole à Zürich\nNothing here");
  EXPECT_EQ(on_disk.texts({"restarting"}), Texts{"The servers were restarted."});
  EXPECT_EQ(on_disk.texts({"ECOLE"}), Texts{"École à Zürich"});
  EXPECT_EQ(on_disk.texts({"zurich"}), Texts{"École à Zürich"});
}

TEST_F(MatchText, PrefersPassagesWithMoreAndRarerWords) {
  add("common common common\ncommon rare\ncommon\ncommon thing");
  EXPECT_EQ(on_disk.texts({"common", "rare"})[0], "common rare");
}

TEST_F(MatchText, FindsIdentifiersWholeAndInParts) {
  add("call getUserName() first\nset max_file_bytes = 3\nthe user has a name\nimport os.path here");
  EXPECT_EQ(on_disk.texts({"getUserName"})[0], "call getUserName() first");
  EXPECT_EQ(on_disk.texts({"getusername"}), Texts{"call getUserName() first"});
  EXPECT_EQ(on_disk.texts({"max_file_bytes"}), Texts{"set max_file_bytes = 3"});
  EXPECT_EQ(on_disk.texts({"bytes"}), Texts{"set max_file_bytes = 3"});
  EXPECT_EQ(on_disk.texts({"os.path"}), Texts{"import os.path here"});
  Texts user = on_disk.texts({"user"});
  std::sort(user.begin(), user.end());
  EXPECT_EQ(user, (Texts{"call getUserName() first", "the user has a name"}));
}

TEST_F(MatchText, PrefersTheFormThatIsAskedFor) {
  add("one hash here\none hashing here\none hashes here");
  EXPECT_EQ(on_disk.texts({"hashes"})[0], "one hashes here");
  EXPECT_EQ(on_disk.texts({"hashing"})[0], "one hashing here");
  EXPECT_EQ(on_disk.texts({"hashes"}).size(), 3u);
}

TEST_F(MatchText, FindsVersions) {
  add("since version 3.11 it is faster\nsince version 3.1 it is slower\nthere are 11 and 3");
  EXPECT_EQ(on_disk.texts({"3.11"}), Texts{"since version 3.11 it is faster"});
}

TEST_F(MatchText, FindsChineseJapaneseKoreanAndThai) {
  add("日本語の文書を検索する\n中文搜索\n한국어 검색\nค้นหาเอกสาร");
  EXPECT_EQ(on_disk.texts({"文書"}), Texts{"日本語の文書を検索する"});
  EXPECT_EQ(on_disk.texts({"搜索"}), Texts{"中文搜索"});
  EXPECT_EQ(on_disk.texts({"索"}).size(), 2u);
  EXPECT_EQ(on_disk.texts({"る"}), Texts{"日本語の文書を検索する"});
  EXPECT_EQ(on_disk.texts({"검색"}), Texts{"한국어 검색"});
  EXPECT_EQ(on_disk.texts({"เอกสาร"}), Texts{"ค้นหาเอกสาร"});
  EXPECT_EQ(on_disk.texts({"書文"}), Texts{});
}

TEST_F(MatchText, WantsPhrasesWhole) {
  add("connection refused by peer\nthe connection was refused\nrefused connection");
  EXPECT_EQ(phrase("connection refused"), Texts{"connection refused by peer"});
  EXPECT_EQ(phrase("connection refused", {"absent"}), Texts{"connection refused by peer"});
}

TEST_F(MatchText, LetsWordsBesideAPhraseDecideTheOrder) {
  add("connection refused and more text of some length\nconnection refused by nginx proxy in front\n"
      "connection refused and further text of some length");
  EXPECT_EQ(phrase("connection refused", {"nginx"})[0], "connection refused by nginx proxy in front");
  EXPECT_EQ(phrase("connection refused", {"nginx"}).size(), 3u);
}

TEST_F(MatchText, LooksAtHeadings) {
  const FileId file = on_disk.file(docs, "h.md");
  FileCommit commit = commit_of(file, "Press the green button.\nPress the red button.");
  commit.chunks[0].heading_path = {"Installation", "startServer"};
  on_disk.store->commit_file(commit);
  EXPECT_EQ(on_disk.texts({"installation"}), Texts{"Press the green button."});
  EXPECT_EQ(on_disk.texts({"server"}), Texts{"Press the green button."});
}

TEST_F(MatchText, StaysInTheCollectionsThatAreWanted) {
  add("apple one");
  const CollectionId other = on_disk.collection("other");
  on_disk.file_with(other, "b", "apple two");
  const CollectionId third = on_disk.collection("third");
  on_disk.file_with(third, "c", "apple three");
  EXPECT_EQ(on_disk.texts({"apple"}, {other}), Texts{"apple two"});
  EXPECT_EQ(on_disk.texts({"apple"}, {other, third}).size(), 2u);
  EXPECT_EQ(on_disk.texts({"apple"}).size(), 3u);
  EXPECT_EQ(on_disk.texts({"c1"}).size(), 0u);  // how collections are marked is no word of a text
}

TEST_F(MatchText, GivesAsManyAsWantedThoughMostMatchesAreGone) {
  std::vector<FileId> gone;
  gone.reserve(40);
  for (int i = 0; i < 40; ++i) gone.push_back(on_disk.file_with(docs, "g" + std::to_string(i), "apple"));
  for (int i = 0; i < 5; ++i)
    add("an apple among many other words that make it come last " + std::to_string(i));
  on_disk.store->remove_files(gone);
  EXPECT_EQ(on_disk.match({"apple"}, {}, 3).size(), 3u);
  EXPECT_EQ(on_disk.match({"apple"}, {}, 10).size(), 5u);
}

TEST_F(MatchText, ScoresFallFromTheFirst) {
  add("apple apple\napple pear\npear\nplum");
  const std::vector<ScoredPassage> found = on_disk.match({"apple", "pear"});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_GT(found[0].score, 0.0);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                             [](const auto& a, const auto& b) { return a.score > b.score; }));
}

TEST_F(MatchText, TakesAnyTextForAQuery) {
  add("apple");
  for (const char* text : {"", "\"", "NOT", "a AND b", "apple*", "{words}: x", "^apple", "(", "' OR 1",
                           "\xff\xfe", "---", "___"})
    EXPECT_NO_THROW(on_disk.match({text})) << text;
  EXPECT_EQ(on_disk.texts({"\"apple\" OR ("}), Texts{});
  EXPECT_EQ(on_disk.texts({"apple*"}), Texts{"apple"});
  EXPECT_TRUE(on_disk.match({"apple"}, {}, 0).empty());
}

TEST_F(MatchText, RunsBesideTheWriter) {
  add("apple");
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  readers.reserve(6);
  for (int i = 0; i < 6; ++i) {
    readers.emplace_back([&] {
      while (!done) {
        if (on_disk.match({"apple"}).size() != 1) ++wrong;
      }
    });
  }
  for (int i = 0; i < 60; ++i) on_disk.file_with(docs, "f1", "apple " + std::to_string(i), i + 2);
  done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0) << "a search saw none or two generations";
  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple 59"});
}

}  // namespace
}  // namespace parley::retrieval::index
