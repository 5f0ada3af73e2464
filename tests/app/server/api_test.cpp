// The OpenAI routes from outside: what clients do to a request under way.
#include <gtest/gtest.h>

#include <string>

#include "tests/app/server/running_server.h"
#include "tests/fakes/raw_client.h"

namespace parley::app::server {
namespace {

using std::chrono::milliseconds;
using tests::fakes::HttpAnswer;
using tests::fakes::make_request;
using tests::fakes::RawClient;

std::size_t num_events(const std::string& body) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = body.find("data: ", at)) != std::string::npos; ++at) ++count;
  return count;
}

class ApiTest : public testing::Test {
 protected:
  std::string request(std::string_view route, std::string_view body) const {
    return make_request("POST", route, server_.port(), "Content-Type: application/json\r\n", body);
  }
  HttpAnswer post(std::string_view route, std::string_view body) const {
    RawClient client(server_.port());
    client.send(request(route, body));
    return client.read_answer();
  }
  HttpAnswer chat(const std::string& text, const std::string& more = "") const {
    return post("/v1/chat/completions",
                R"({"messages":[{"role":"user","content":")" + text + "\"}]" + more + "}");
  }

  RunningServer server_;
};

TEST_F(ApiTest, ServesBothRoutes) {
  const auto whole = chat("one two");
  EXPECT_EQ(whole.status, 200);
  EXPECT_EQ(whole.fields.at("content-type"), "application/json");
  EXPECT_EQ(whole.fields.at("cache-control"), "no-store");
  EXPECT_NE(whole.body.find(R"("content":"one two")"), std::string::npos) << whole.body;
  const auto stream = post("/v1/completions", R"({"prompt":"a b","stream":true})");
  EXPECT_EQ(stream.fields.at("content-type"), "text/event-stream");
  EXPECT_EQ(num_events(stream.body), 4u) << stream.body;
  const auto full = chat("!queue_full");
  EXPECT_EQ(full.status, 429);
  EXPECT_EQ(full.fields.at("retry-after"), "1");
}

TEST_F(ApiTest, SurvivesAModelThatThrows) {
  EXPECT_EQ(chat("a !throw b").status, 500);
  chat("a !throw b", R"(,"stream":true)");
  EXPECT_EQ(chat("still here").status, 200);
  EXPECT_TRUE(eventually([&] { return server_.counters->num_alive == 0; }));
  EXPECT_EQ(server_.on_io([&] { return server_.log.size(); }), 2u);
}

// Cancelled within a step, whole or streamed, before or behind the first token, closed or reset.
TEST_F(ApiTest, GivesUpWhenTheClientGoes) {
  int gone = 0;
  for (const char* stream : {"true", "false"}) {
    for (const char* script : {"!wait 60000 hello", "!pause 20 !tokens 10000"}) {
      for (const bool reset : {true, false}) {
        RawClient client(server_.port());
        client.send(request("/v1/completions", std::string(R"({"max_tokens":10000,"stream":)") + stream +
                                                   R"(,"prompt":")" + script + "\"}"));
        ASSERT_TRUE(eventually([&] { return server_.counters->num_alive == 1; }));
        std::this_thread::sleep_for(milliseconds(30));
        if (reset) {
          client.reset();
        } else {
          client.finish_sending();
        }
        EXPECT_TRUE(eventually([&] { return server_.counters->num_alive == 0; }, milliseconds(1000)))
            << stream << script << reset;
        EXPECT_EQ(server_.counters->num_cancelled, ++gone);
      }
    }
  }
  EXPECT_EQ(server_.counters->num_finished, 0);
}

TEST_F(ApiTest, OneClientsEndDoesNotTouchAnother) {
  RawClient stays(server_.port());
  stays.send(
      request("/v1/completions", R"({"max_tokens":1000,"stream":true,"prompt":"!pause 2 !tokens 200"})"));
  for (int i = 0; i < 20; ++i) {
    RawClient leaves(server_.port());
    leaves.send(
        request("/v1/completions", R"({"max_tokens":1000,"stream":true,"prompt":"!pause 20 !tokens 1000"})"));
    leaves.read_until("data: ");
    leaves.reset();
  }
  EXPECT_EQ(num_events(stays.read_answer().body), 202u);
  EXPECT_TRUE(eventually([&] { return server_.counters->num_cancelled == 20; }));
}

TEST_F(ApiTest, SlowReadersAreNotBufferedFor) {
  RawClient slow(server_.port());
  slow.send(request("/v1/completions", R"({"max_tokens":1000000,"stream":true,"prompt":"!tokens 200000"})"));
  slow.read_until("data: ");
  std::this_thread::sleep_for(milliseconds(500));
  EXPECT_EQ(server_.counters->num_finished, 0);  // the answer waits for the reader
  slow.reset();
  EXPECT_TRUE(eventually([&] { return server_.counters->num_alive == 0; }));
}

}  // namespace
}  // namespace parley::app::server
