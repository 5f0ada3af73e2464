#include "retrieval/search/vector_follower.h"

#include <gtest/gtest.h>

#include "tests/fakes/file_bytes.h"
#include "tests/retrieval/search/store_with_vectors.h"

namespace parley::retrieval::search {
namespace {

using index::Texts;

class VectorFollowerTest : public ::testing::Test {
 protected:
  std::unique_ptr<VectorFollower> follow() {
    FollowedModel model;
    model.fingerprint = embedder.fingerprint();
    model.dim = embedder.dim();
    model.file = file;
    return std::make_unique<VectorFollower>(*on_disk.store, model);
  }
  Texts nearest(VectorFollower& follower, const std::string& question,
                const std::vector<index::CollectionId>& in = {}, int limit = 1) {
    follower.refresh();
    Texts texts;
    for (const auto& passage : on_disk.passages(follower.search(embedder.vector_of(question), in, limit)))
      texts.push_back(passage.text);
    return texts;
  }

  ToyEmbedder embedder{{{"cat", 0}, {"kitten", 0}, {"car", 1}, {"engine", 1}, {"tree", 2}}};
  StoreWithVectors on_disk{embedder};
  index::CollectionId docs = on_disk.collection("docs");
  std::filesystem::path file = on_disk.folder.path() / "vectors.bin";
};

TEST_F(VectorFollowerTest, FindsWhatWasCommittedAndNothingThatWent) {
  const auto follower = follow();
  EXPECT_EQ(nearest(*follower, "cat"), Texts{});
  const index::FileId cats = on_disk.embedded(docs, "a", "a kitten\nan engine");
  EXPECT_EQ(nearest(*follower, "cat"), Texts{"a kitten"});
  on_disk.embedded(docs, "a", "a small kitten\nan engine", 2);
  EXPECT_EQ(nearest(*follower, "cat"), Texts{"a small kitten"});
  EXPECT_EQ(nearest(*follower, "car", {}, 10).size(), 2u);
  const std::vector<index::FileId> gone = {cats};
  on_disk.store->remove_files(gone);
  EXPECT_EQ(nearest(*follower, "cat"), Texts{});
  EXPECT_TRUE(follower->search(embedder.vector_of("cat"), {}, 10).empty());
}

TEST_F(VectorFollowerTest, AddsVectorsThatAreCachedLater) {
  const auto follower = follow();
  on_disk.file_with(docs, "a", "a kitten\nan engine");
  EXPECT_EQ(nearest(*follower, "cat"), Texts{});
  EXPECT_EQ(follower->num_missing(), 2u);
  on_disk.embed({"a kitten"});
  EXPECT_EQ(nearest(*follower, "cat"), Texts{"a kitten"});
  EXPECT_EQ(follower->num_missing(), 1u);
  const std::vector<index::FileId> gone = {on_disk.store->find_file(docs, "a")->id};
  on_disk.store->remove_files(gone);
  follower->refresh();
  EXPECT_EQ(follower->num_missing(), 0u);
}

TEST_F(VectorFollowerTest, StaysInTheCollectionsThatAreWanted) {
  const auto follower = follow();
  on_disk.embedded(docs, "a", "a kitten");
  const index::CollectionId other = on_disk.collection("other");
  on_disk.embedded(other, "b", "an engine");
  EXPECT_EQ(nearest(*follower, "cat", {other}, 10), Texts{"an engine"});
  EXPECT_EQ(nearest(*follower, "cat", {other, docs}, 10), (Texts{"a kitten", "an engine"}));
  EXPECT_EQ(nearest(*follower, "cat", {99}, 10), Texts{});
}

TEST_F(VectorFollowerTest, KeepsCollectionsOfSlotsOverCompactions) {
  const auto follower = follow();
  const index::CollectionId other = on_disk.collection("other");
  std::string many;
  for (int i = 0; i < 3'000; ++i) many += "tree " + std::to_string(i) + "\n";
  on_disk.embedded(docs, "many", many);
  on_disk.embedded(other, "b", "a kitten\nan engine");
  follower->refresh();
  on_disk.embedded(docs, "many", "one tree", 2);
  on_disk.embedded(docs, "c", "a kitten of docs");
  EXPECT_EQ(nearest(*follower, "cat", {other}, 10), (Texts{"a kitten", "an engine"}));
  EXPECT_EQ(nearest(*follower, "cat", {docs}, 10), (Texts{"a kitten of docs", "one tree"}));
}

TEST_F(VectorFollowerTest, GoesOnFromItsFileWithWhatChangedMeanwhile) {
  const index::FileId gone = on_disk.embedded(docs, "gone", "a cat\na kitten");
  on_disk.embedded(docs, "kept", "an engine");
  follow()->refresh();
  ASSERT_TRUE(std::filesystem::exists(file));
  const std::vector<index::FileId> files = {gone};
  on_disk.store->remove_files(files);
  while (on_disk.store->clean_up(100)) {
  }
  on_disk.embedded(docs, "new", "one tree");
  const auto follower = follow();
  EXPECT_EQ(nearest(*follower, "tree"), Texts{"one tree"});
  follower->refresh();
  EXPECT_EQ(follower->search(embedder.vector_of("cat"), {}, 10).size(), 2u);
  EXPECT_EQ(nearest(*follower, "engine", {docs}), Texts{"an engine"});
}

TEST_F(VectorFollowerTest, MakesAFileAnewThatCannotBeBelieved) {
  on_disk.embedded(docs, "a", "a kitten");
  follow()->refresh();
  for (const std::string& bytes : {std::string("torn"), tests::fakes::read_file(file).substr(0, 100)}) {
    tests::fakes::write_file(file, bytes);
    const auto follower = follow();
    EXPECT_EQ(nearest(*follower, "cat"), Texts{"a kitten"});
  }
}

}  // namespace
}  // namespace parley::retrieval::search
