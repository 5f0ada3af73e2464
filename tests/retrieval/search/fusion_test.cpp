#include "retrieval/search/fusion.h"

#include <gtest/gtest.h>

namespace parley::retrieval::search {
namespace {

using Ranking = std::vector<index::ScoredPassage>;
using Ids = std::vector<index::PassageId>;

Ids ids_of(const std::vector<FusedPassage>& fused, std::size_t count = 100) {
  Ids ids;
  for (std::size_t i = 0; i < std::min(count, fused.size()); ++i) ids.push_back(fused[i].id);
  return ids;
}

// Ids from `first`, scores falling from `best` by `step`.
Ranking falling(index::PassageId first, int count, double best, double step) {
  Ranking ranking;
  for (int i = 0; i < count; ++i) ranking.push_back({first + i, best - i * step});
  return ranking;
}

TEST(Fuse, KeepsTheOrderOfTheOnlyList) {
  const Ranking text = {{3, 9.0}, {1, 4.0}, {2, 1.0}};
  const std::vector<FusedPassage> fused = fuse(text, {}, 0.4);
  EXPECT_EQ(ids_of(fused), (Ids{3, 1, 2}));
  EXPECT_EQ(fused[0].score, 1.0);
  EXPECT_EQ(fused[0].parts.text, 9.0);
  EXPECT_FALSE(fused[0].parts.vector.has_value());
  EXPECT_EQ(ids_of(fuse({}, text, 0.4)), (Ids{3, 1, 2}));
  EXPECT_TRUE(fuse({}, {}, 0.4).empty());
}

TEST(Fuse, AddsScoresBetweenLeastAndBestOfEachList) {
  const Ranking text = falling(1, 11, 20.0, 1.0);  // 1: 20 .. 11: 10
  Ranking vector = falling(101, 11, 0.9, 0.05);    // 101: .9 .. 111: .4
  vector[4].id = 3;                                // .7 of .4 to .9: .6; in the text 18 of 10 to 20: .8
  const std::vector<FusedPassage> fused = fuse(text, vector, 0.25);
  EXPECT_EQ(fused[0].id, 101);
  EXPECT_DOUBLE_EQ(fused[0].score, 0.75);
  for (const FusedPassage& passage : fused) {
    if (passage.id != 3) continue;
    EXPECT_NEAR(passage.score, 0.25 * 0.8 + 0.75 * 0.6, 1e-9);
    EXPECT_EQ(passage.parts.text, 18.0);
    EXPECT_DOUBLE_EQ(passage.parts.vector.value(), 0.7);
  }
  EXPECT_EQ(ids_of(fused).size(), 21u);
}

TEST(Fuse, PutsWhatBothFoundFirst) {
  Ranking text = falling(1, 20, 10.0, 0.1), vector = falling(101, 20, 0.8, 0.01);
  text[2].id = vector[2].id = 500;
  EXPECT_EQ(fuse(text, vector, 0.5)[0].id, 500);
}

TEST(Fuse, GoesByRanksWhenAListIsShort) {
  const Ranking text = {{1, 1000.0}, {2, 0.1}};  // nothing can be said of the second's distance
  const Ranking vector = falling(2, 30, 0.5, 0.001);
  EXPECT_EQ(ids_of(fuse(text, vector, 0.5), 2), (Ids{2, 1}));
}

TEST(Fuse, IsTheSameForEqualScoresEveryTime) {
  const Ranking equal = {{9, 1.0}, {4, 1.0}, {7, 1.0}};
  EXPECT_EQ(ids_of(fuse(equal, {}, 0.5)), (Ids{4, 7, 9}));
}

FoundPassage found(index::PassageId id, index::FileId file, std::uint8_t text) {
  FoundPassage passage;
  passage.passage.id = id;
  passage.passage.file = file;
  passage.passage.text_hash[0] = text;
  return passage;
}

Ids picked(std::vector<FoundPassage> passages, int limit, int max_per_file) {
  Ids ids;
  for (const FoundPassage& passage : pick_distinct(std::move(passages), limit, max_per_file))
    ids.push_back(passage.passage.id);
  return ids;
}

TEST(PickDistinct, LeavesOutTheSameTextAgain) {
  EXPECT_EQ(picked({found(1, 1, 1), found(2, 2, 1), found(3, 3, 2)}, 10, 0), (Ids{1, 3}));
}

TEST(PickDistinct, LimitsPassagesOfAFile) {
  const std::vector<FoundPassage> all = {found(1, 1, 1), found(2, 1, 2), found(3, 1, 3), found(4, 2, 4)};
  EXPECT_EQ(picked(all, 10, 2), (Ids{1, 2, 4}));
  EXPECT_EQ(picked(all, 10, 0), (Ids{1, 2, 3, 4}));
  EXPECT_EQ(picked(all, 2, 1), (Ids{1, 4}));
}

}  // namespace
}  // namespace parley::retrieval::search
