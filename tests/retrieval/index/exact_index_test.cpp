// Nearest neighbours against brute force, and the index's file.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <set>
#include <thread>

#include "retrieval/index/vector_index.h"
#include "tests/fakes/file_bytes.h"
#include "tests/fakes/temp_directory.h"

namespace parley::retrieval::index {
namespace {

void normalise(std::vector<float>& vector) {
  float sum = 0.0F;
  for (const float value : vector) sum += value * value;
  for (float& value : vector) value /= std::sqrt(sum);
}

// Unit vectors around some centres, as embeddings lie.
class Clusters {
 public:
  Clusters(int dim, int centres, unsigned seed) : dim_(dim), random_(seed) {
    for (int i = 0; i < centres; ++i) centres_.push_back(random_vector(1.0F));
  }
  std::vector<float> next() {
    std::vector<float> vector = random_vector(0.7F);
    const std::vector<float>& centre = centres_[random_() % centres_.size()];
    for (std::size_t d = 0; d < vector.size(); ++d) vector[d] += centre[d];
    normalise(vector);
    return vector;
  }

 private:
  std::vector<float> random_vector(float scale) {
    std::vector<float> vector(static_cast<std::size_t>(dim_));
    for (float& value : vector) value = normal_(random_) * scale;
    return vector;
  }
  int dim_;
  std::mt19937 random_;
  std::normal_distribution<float> normal_;
  std::vector<std::vector<float>> centres_;
};

// An index and what it should hold.
struct Indexed {
  Indexed(int dim, int count, unsigned seed = 1) : clusters(dim, 50, seed), index(make_exact_index(dim)) {
    add(count);
  }
  void add(int count) {
    std::vector<PassageId> ids;
    std::vector<float> rows;
    for (int i = 0; i < count; ++i) {
      vectors.push_back(clusters.next());
      ids.push_back(static_cast<PassageId>(vectors.size()) * 10);
      rows.insert(rows.end(), vectors.back().begin(), vectors.back().end());
    }
    index->add(ids, rows);
  }
  template <typename Wanted>
  std::vector<PassageId> brute_force(const std::vector<float>& query, std::size_t k, Wanted wanted) const {
    std::vector<std::pair<double, PassageId>> all;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      const PassageId id = static_cast<PassageId>(i + 1) * 10;
      double score = 0.0;
      for (std::size_t d = 0; d < query.size(); ++d) score += double{query[d]} * vectors[i][d];
      if (wanted(id)) all.emplace_back(-score, id);
    }
    std::sort(all.begin(), all.end());
    std::vector<PassageId> best;
    for (std::size_t i = 0; i < std::min(k, all.size()); ++i) best.push_back(all[i].second);
    return best;
  }
  template <typename Wanted>
  double recall_at_10(int queries, const SlotFilter& filter, Wanted wanted) {
    int hits = 0, all = 0;
    for (int i = 0; i < queries; ++i) {
      const std::vector<float> query = clusters.next();
      const std::vector<PassageId> best = brute_force(query, 10, wanted);
      for (const ScoredPassage& found : index->search(query, 10, filter))
        hits += static_cast<int>(std::count(best.begin(), best.end(), found.id));
      all += static_cast<int>(best.size());
    }
    return static_cast<double>(hits) / all;
  }

  Clusters clusters;
  std::unique_ptr<VectorIndex> index;
  std::vector<std::vector<float>> vectors;
};

const auto kAll = [](PassageId) { return true; };

TEST(ExactIndex, FindsTheNearestOfBruteForce) {
  for (const auto& [dim, count] : {std::pair{384, 20'000}, {100, 3'000}, {3, 50}}) {
    Indexed indexed(dim, count);
    EXPECT_GE(indexed.recall_at_10(40, {}, kAll), 0.99) << dim;
  }
}

TEST(ExactIndex, GivesScoresOfHalvesBestFirst) {
  Indexed indexed(384, 2'000);
  const std::vector<float>& query = indexed.vectors[7];
  const std::vector<ScoredPassage> found = indexed.index->search(query, 5, {});
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0].id, 80);
  EXPECT_NEAR(found[0].score, 1.0, 1e-3);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                             [](const auto& a, const auto& b) { return a.score > b.score; }));
}

TEST(ExactIndex, LooksOnlyAtSlotsThatAreWanted) {
  Indexed indexed(384, 5'000);
  const std::vector<PassageId> slots = indexed.index->slots();
  std::vector<std::uint64_t> words((slots.size() + 63) / 64);
  const auto wanted = [](PassageId id) { return id % 130 == 0 && id > 20'000; };
  for (std::size_t slot = 0; slot < slots.size(); ++slot)
    if (wanted(slots[slot])) words[slot / 64] |= std::uint64_t{1} << (slot % 64);
  EXPECT_EQ(indexed.recall_at_10(20, {words}, wanted), 1.0);
  const std::vector<std::uint64_t> none(words.size());
  EXPECT_TRUE(indexed.index->search(indexed.vectors[0], 10, {none}).empty());
  const std::vector<std::uint64_t> first_only = {1};  // shorter than the index: the rest is not wanted
  EXPECT_EQ(indexed.index->search(indexed.vectors[0], 10, {first_only}).size(), 1u);
}

TEST(ExactIndex, FindsNothingThatWasRemovedAndKeepsTheRest) {
  Indexed indexed(64, 6'000);
  const auto kept = [](PassageId id) { return id % 30 != 0; };
  std::vector<PassageId> gone;
  for (PassageId id = 10; id <= 60'000; id += 10)
    if (!kept(id)) gone.push_back(id);
  const std::size_t few = 500;  // not yet worth a compaction
  indexed.index->remove(std::span(gone).first(few));
  EXPECT_EQ(indexed.index->slots().size(), 6'000u);
  EXPECT_EQ(indexed.index->slots()[2], 0);
  indexed.index->remove(gone);
  EXPECT_EQ(indexed.index->size(), 4'000u);
  EXPECT_EQ(indexed.index->slots().size(), 4'000u);
  EXPECT_GE(indexed.recall_at_10(30, {}, kept), 0.99);
  indexed.add(100);
  EXPECT_EQ(indexed.index->search(indexed.vectors.back(), 1, {})[0].id, 61'000);
}

TEST(ExactIndex, ReplacesAVectorOfTheSamePassage) {
  const auto index = make_exact_index(2);
  const std::vector<PassageId> id = {5};
  index->add(id, std::vector<float>{1.0F, 0.0F});
  index->add(id, std::vector<float>{0.0F, 1.0F});
  EXPECT_EQ(index->size(), 1u);
  const std::vector<ScoredPassage> found = index->search(std::vector<float>{0.0F, 1.0F}, 3, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].score, 1.0);
}

TEST(ExactIndex, BearsNothingAndOddVectors) {
  const auto index = make_exact_index(4);
  EXPECT_TRUE(index->search(std::vector<float>(4, 0.5F), 3, {}).empty());
  const std::vector<PassageId> ids = {1, 2};
  index->add(ids, std::vector<float>{0, 0, 0, 0, NAN, 0, 0, 1});
  EXPECT_EQ(index->search(std::vector<float>(4, 0.0F), 3, {}).size(), 2u);
  EXPECT_TRUE(index->search(std::vector<float>(4, 0.5F), 0, {}).empty());
  EXPECT_THROW(index->add(ids, std::vector<float>(7)), std::runtime_error);
  EXPECT_THROW(index->search(std::vector<float>(3), 1, {}), std::runtime_error);
  index->remove(std::vector<PassageId>{1, 2, 3});
  EXPECT_EQ(index->size(), 0u);
}

TEST(ExactIndex, SearchesBesideItsWriter) {
  Indexed indexed(64, 1'000);
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  const std::vector<float> query = indexed.vectors[0];
  std::thread reader([&] {
    while (!done) {
      if (indexed.index->search(query, 1, {})[0].id != 10) ++wrong;
    }
  });
  for (int i = 0; i < 20; ++i) {
    std::vector<PassageId> gone;
    for (PassageId id = 20 + i * 1'000; id < 1'000 + i * 1'000; id += 10) gone.push_back(id);
    indexed.add(100);
    indexed.index->remove(gone);
  }
  done = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
}

class IndexFile : public ::testing::Test {
 protected:
  tests::fakes::TempDirectory folder;
  std::filesystem::path file = folder.path() / "vectors.bin";
};

TEST_F(IndexFile, GivesBackWhatWasSaved) {
  Indexed indexed(100, 20'000);  // more than a chunk
  indexed.index->remove(std::vector<PassageId>{10, 70'000});
  indexed.index->save(file, "model A");
  const auto loaded = load_exact_index(file, "model A");
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->size(), 19'998u);
  EXPECT_EQ(loaded->dim(), 100);
  for (int i = 0; i < 10; ++i) {
    const std::vector<float> query = indexed.clusters.next();
    const std::vector<ScoredPassage> before = indexed.index->search(query, 10, {}),
                                     after = loaded->search(query, 10, {});
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t k = 0; k < before.size(); ++k) {
      EXPECT_EQ(after[k].id, before[k].id);
      EXPECT_EQ(after[k].score, before[k].score);
    }
  }
}

TEST_F(IndexFile, GrowsAndShrinksAfterItWasLoaded) {
  Indexed indexed(64, 17'000);
  indexed.index->save(file, "m");
  indexed.index = load_exact_index(file, "m");
  ASSERT_NE(indexed.index, nullptr);
  indexed.add(2'000);
  std::vector<PassageId> gone;
  for (PassageId id = 10; id <= 60'000; id += 10) gone.push_back(id);
  indexed.index->remove(gone);
  EXPECT_EQ(indexed.index->slots().size(), 13'000u);
  EXPECT_GE(indexed.recall_at_10(20, {}, [](PassageId id) { return id > 60'000; }), 0.99);
  indexed.index->save(file, "m");  // over the file that it was mapped from
  indexed.index = load_exact_index(file, "m");
  EXPECT_EQ(indexed.index->size(), 13'000u);
}

TEST_F(IndexFile, IsNotBelievedWhenItIsMissingOrOfAnotherModel) {
  EXPECT_EQ(load_exact_index(file, "m"), nullptr);
  Indexed indexed(16, 100);
  indexed.index->save(file, "m");
  EXPECT_NE(load_exact_index(file, "m"), nullptr);
  EXPECT_EQ(load_exact_index(file, "n"), nullptr);
  EXPECT_EQ(load_exact_index(file, ""), nullptr);
  tests::fakes::write_file(file,
                           "PARLEYVX but not such a file at all, however long it may be, at least 64 bytes");
  EXPECT_EQ(load_exact_index(file, "m"), nullptr);
  tests::fakes::write_file(file, "");
  EXPECT_EQ(load_exact_index(file, "m"), nullptr);
}

TEST_F(IndexFile, IsNotBelievedWhenItIsTorn) {
  Indexed indexed(16, 300);
  indexed.index->save(file, "m");
  const std::string whole = tests::fakes::read_file(file);
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    std::string torn = whole;
    const std::size_t at = random() % whole.size();
    if (i % 3 == 0) torn.resize(at);
    if (i % 3 == 1) torn[at] = static_cast<char>(torn[at] ^ (1 << random() % 8));
    if (i % 3 == 2) std::fill(torn.begin() + static_cast<std::ptrdiff_t>(at), torn.end(), '\0');
    if (torn == whole) continue;
    tests::fakes::write_file(file, torn);
    EXPECT_EQ(load_exact_index(file, "m"), nullptr) << "at " << at << ", " << i % 3;
  }
  tests::fakes::write_file(file, whole + std::string(64, '\0'));
  EXPECT_EQ(load_exact_index(file, "m"), nullptr);
}

TEST_F(IndexFile, SaysWhenItCannotBeWritten) {
  Indexed indexed(16, 10);
  EXPECT_THROW(indexed.index->save(folder.path() / "no such folder" / "v.bin", "m"), std::runtime_error);
}

TEST_F(IndexFile, HoldsNothing) {
  make_exact_index(8)->save(file, "m");
  const auto loaded = load_exact_index(file, "m");
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->size(), 0u);
}

}  // namespace
}  // namespace parley::retrieval::index
