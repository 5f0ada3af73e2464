#include "app/assets/assets.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::app::assets {
namespace {

TEST(AssetsTest, HoldsAPageWhetherTheUiIsBuiltOrNot) {
  const Asset* index = find_asset("/index.html");
  ASSERT_NE(index, nullptr);
  EXPECT_NE(index->bytes.find("<!doctype html>"), std::string_view::npos);
  EXPECT_EQ(index->hash.size(), 20u);
}

TEST(AssetsTest, IsOrderedSoThatEveryFileIsFound) {
  const auto all = embedded_assets();
  EXPECT_TRUE(
      std::is_sorted(all.begin(), all.end(), [](const Asset& a, const Asset& b) { return a.path < b.path; }));
  for (const Asset& asset : all) EXPECT_EQ(find_asset(asset.path), &asset) << asset.path;
}

TEST(AssetsTest, FindsNothingElse) {
  for (const char* path : {"", "/", "index.html", "/index.htm", "/index.html/", "/../index.html", "/zzz"}) {
    EXPECT_EQ(find_asset(path), nullptr) << path;
  }
}

TEST(AssetsTest, StoresCompressedBytesOnlyWhereTheyAreGzip) {
  for (const Asset& asset : embedded_assets()) {
    EXPECT_TRUE(asset.gzip.empty() || asset.gzip.starts_with("\x1F\x8B")) << asset.path;
    EXPECT_LE(asset.gzip.size(), asset.bytes.size()) << asset.path;
  }
}

}  // namespace
}  // namespace parley::app::assets
