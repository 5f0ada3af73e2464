// GET /calls/<id>/images/<n> from outside.
#include "app/server/call_image_handler.h"

#include <gtest/gtest.h>

#include "tests/app/server/asking.h"
#include "tests/app/server/running_server.h"

namespace parley::app::server {
namespace {

const std::string kCall = "44444444-4444-4444-8444-444444444444";

class CallImageHandler : public testing::Test {
 protected:
  void set_image(const std::string& media_type) {
    server_.on_io([&] { server_.hub.image = {media_type, std::string("P\0NG", 4)}; });
  }
  tests::fakes::HttpAnswer get(const std::string& target, std::string_view fields = {}) {
    return ask(server_.port(), "GET", target, fields);
  }
  std::vector<std::string> asked() {
    return server_.on_io([&] { return server_.hub.commands; });
  }

  RunningServer server_;
};

TEST_F(CallImageHandler, ServesAPictureThatRunsNothingAndStaysPrivate) {
  set_image("image/png");
  const auto answer = get("/calls/" + kCall + "/images/3");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, std::string("P\0NG", 4));
  EXPECT_EQ(asked(), std::vector<std::string>{"image " + kCall + " 3"});
  const std::string head = answer.head;
  EXPECT_TRUE(contains(head, "Content-Type: image/png\r\n")) << head;
  EXPECT_TRUE(contains(head, "Content-Security-Policy: sandbox\r\n")) << head;
  EXPECT_TRUE(contains(head, "Content-Security-Policy: default-src 'none'")) << head;
  EXPECT_TRUE(contains(head, "X-Content-Type-Options: nosniff\r\n")) << head;
  EXPECT_TRUE(contains(head, "Cache-Control: private,")) << head;
}

TEST_F(CallImageHandler, ServesWhatBrowsersShowAndNothingElse) {
  for (const char* type : {"image/png", "image/jpeg", "image/gif", "image/webp"}) {
    set_image(type);
    EXPECT_EQ(get("/calls/" + kCall + "/images/0").status, 200) << type;
  }
  for (const char* type :
       {"image/svg+xml", "text/html", "image/png; x", "IMAGE/PNG", "", "image/png\r\nX: y"}) {
    set_image(type);
    const auto answer = get("/calls/" + kCall + "/images/0");
    EXPECT_EQ(answer.status, 404) << type;
    EXPECT_FALSE(contains(answer.body, "NG")) << type;
  }
}

TEST_F(CallImageHandler, OtherAddressesAreNotThere) {
  EXPECT_EQ(get("/calls/" + kCall + "/images/0").status, 404);  // the hub has none
  set_image("image/png");
  const auto num_asked = asked().size();
  for (const std::string& target :
       {std::string("/calls"), std::string("/calls/"), "/calls/" + kCall, "/calls/" + kCall + "/images/",
        "/calls/" + kCall + "/images/-1", "/calls/" + kCall + "/images/1x", "/calls/" + kCall + "/images/+1",
        "/calls/" + kCall + "/images/99999", "/calls/" + kCall + "/images/1/2",
        std::string("/calls/x/images/0"), "/calls/" + kCall + "%2e/images/0",
        "/calls/../" + kCall + "/images/0"})
    EXPECT_EQ(get(target).status, 404) << target;
  EXPECT_EQ(asked().size(), num_asked);
  EXPECT_EQ(ask(server_.port(), "POST", "/calls/" + kCall + "/images/0", kJson, "{}").status, 405);
}

TEST_F(CallImageHandler, OtherSitesDoNotGetIt) {
  set_image("image/png");
  const std::string target = "/calls/" + kCall + "/images/0";
  EXPECT_EQ(get(target, "Origin: http://evil.example\r\n").status, 403);
  EXPECT_EQ(get(target, "Sec-Fetch-Site: cross-site\r\n").status, 403);
  EXPECT_EQ(get(target, "Sec-Fetch-Site: same-origin\r\n").status, 200);
  const std::string elsewhere = "GET " + target + " HTTP/1.1\r\nHost: evil.example\r\n\r\n";
  tests::fakes::RawClient client(server_.port());
  client.send(elsewhere);
  EXPECT_EQ(client.read_answer(false).status, 421);
}

TEST_F(CallImageHandler, ABrokenStoreIsA500) {
  server_.on_io([&] { server_.hub.failure = "the disk is gone"; });
  EXPECT_EQ(get("/calls/" + kCall + "/images/0").status, 500);
}

}  // namespace
}  // namespace parley::app::server
