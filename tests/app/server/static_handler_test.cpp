#include "app/server/static_handler.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/app/api/fake_exchange.h"

namespace parley::app::server {
namespace {

class FewFiles : public StaticFiles {
 public:
  boost::asio::awaitable<std::optional<StaticFile>> find(std::string path) const override {
    const auto found = files_.find(path);
    if (found == files_.end()) co_return std::nullopt;
    co_return found->second;
  }

 private:
  std::map<std::string, StaticFile> files_ = {
      {"/index.html", {.bytes = "page", .gzip = "packed page", .hash = "h1"}},
      {"/assets/index-B4x_9Qzk.js", {.bytes = "script", .gzip = "", .hash = "h2"}},
      {"/a b.txt", {.bytes = "text", .gzip = "", .hash = "h3"}}};
};

class StaticHandlerTest : public testing::Test {
 protected:
  http::Response get(const std::string& path, std::vector<http::Field> fields = {}) {
    boost::asio::io_context io;
    http::Request request;
    request.head.method = "GET";
    request.head.path = path;
    request.head.fields = std::move(fields);
    return api::answer_of(io, *handler_, std::move(request));
  }
  static std::string field(const http::Response& response, std::string_view name) {
    for (const http::Field& field : response.fields) {
      if (field.name == name) return field.value;
    }
    return "none";
  }

  std::unique_ptr<http::Handler> handler_ = make_static_handler(std::make_unique<FewFiles>());
};

TEST_F(StaticHandlerTest, GivesFilesUnderTheirDecodedNames) {
  const auto text = get("/a%20b.txt");
  EXPECT_EQ(text.status, 200);
  EXPECT_EQ(text.content_type, "text/plain; charset=utf-8");
  EXPECT_EQ(text.body, "text");
  EXPECT_EQ(get("/").body, "page");
}

TEST_F(StaticHandlerTest, GivesThePageForTheUisOwnAddresses) {
  for (const char* path : {"/c/0123", "/settings", "/assets/", "/a.b/c"})
    EXPECT_EQ(get(path).body, "page") << path;
  for (const char* path : {"/none.js", "/assets/none.js", "/%zz", "/%00", "/c/.x"}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
}

TEST_F(StaticHandlerTest, SendsTheCompressedFormToWhoTakesIt) {
  const auto packed = get("/", {{"Accept-Encoding", "br, gzip"}});
  EXPECT_EQ(packed.body, "packed page");
  EXPECT_EQ(field(packed, "Content-Encoding"), "gzip");
  EXPECT_EQ(field(packed, "ETag"), "\"h1-gz\"");
  EXPECT_EQ(field(packed, "Vary"), "Accept-Encoding");
  const auto plain = get("/", {{"Accept-Encoding", "br"}});
  EXPECT_EQ(plain.body, "page");
  EXPECT_EQ(field(plain, "Content-Encoding"), "none");
  EXPECT_EQ(field(plain, "ETag"), "\"h1\"");
  EXPECT_EQ(field(get("/a%20b.txt", {{"Accept-Encoding", "gzip"}}), "Content-Encoding"), "none");
}

TEST_F(StaticHandlerTest, SaysHowLongAFileLasts) {
  EXPECT_EQ(field(get("/"), "Cache-Control"), "no-cache");
  EXPECT_EQ(field(get("/assets/index-B4x_9Qzk.js"), "Cache-Control"), "public, max-age=31536000, immutable");
  EXPECT_EQ(field(get("/none.js"), "Cache-Control"), "no-store");
}

TEST_F(StaticHandlerTest, SavesSendingWhatTheBrowserHas) {
  const auto again = get("/", {{"If-None-Match", "W/\"x\", \"h1\""}});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(field(again, "ETag"), "\"h1\"");
  EXPECT_EQ(get("/", {{"If-None-Match", "\"h2\""}}).status, 200);
  EXPECT_EQ(get("/", {{"If-None-Match", "\"h1\""}, {"Accept-Encoding", "gzip"}}).status, 200)
      << "that is another form of it";
}

}  // namespace
}  // namespace parley::app::server
