#include <gtest/gtest.h>

#include "app/assets/assets.h"
#include "tests/app/server/found_in.h"

namespace parley::app::server {
namespace {

TEST(EmbeddedFilesTest, GivesWhatWasBuiltIn) {
  const auto files = make_embedded_files();
  for (const assets::Asset& asset : assets::embedded_assets()) {
    const auto found = found_in(*files, std::string(asset.path));
    ASSERT_TRUE(found) << asset.path;
    EXPECT_EQ(found->bytes, asset.bytes);
    EXPECT_EQ(found->gzip, asset.gzip);
    EXPECT_EQ(found->hash, asset.hash);
  }
  EXPECT_NE(found_in(*files, "/index.html")->bytes.find("<html"), std::string::npos);
  for (const char* path : {"/../index.html", "index.html", "", "/", "/INDEX.HTML"}) {
    EXPECT_FALSE(found_in(*files, path)) << path;
  }
}

}  // namespace
}  // namespace parley::app::server
