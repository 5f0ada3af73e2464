#include "app/assets/content_type.h"

#include <gtest/gtest.h>

namespace parley::app::assets {
namespace {

TEST(ContentTypeTest, FollowsTheNamesEnding) {
  EXPECT_EQ(content_type("/index.html"), "text/html; charset=utf-8");
  EXPECT_EQ(content_type("/assets/a-12345678.js"), "text/javascript; charset=utf-8");
  EXPECT_EQ(content_type("/x.css"), "text/css; charset=utf-8");
  EXPECT_EQ(content_type("/icon.svg"), "image/svg+xml");
}

TEST(ContentTypeTest, SaysNothingAboutUnknownEndings) {
  for (const char* path : {"/", "/html", "/a.exe", "/a.html.exe", ""}) {
    EXPECT_EQ(content_type(path), "application/octet-stream") << path;
  }
}

TEST(ContentTypeTest, KnowsNamesWithAHash) {
  EXPECT_TRUE(has_hashed_name("/assets/index-B4x_9Qzk.js"));
  EXPECT_TRUE(has_hashed_name("/assets/a-b-12345678.css"));
  for (const char* path :
       {"/index.html", "/assets/index.js", "/assets/-1234567.js", "/other/index-B4x_9Qzk.js",
        "/assets/index-B4x.9Qz.js", "/assets/index-B4x_9Qzk", "/assets/", ""}) {
    EXPECT_FALSE(has_hashed_name(path)) << path;
  }
}

}  // namespace
}  // namespace parley::app::assets
