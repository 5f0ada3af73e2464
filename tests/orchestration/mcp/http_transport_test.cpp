// Odd answers over HTTP, from a scripted fetcher.
#include "orchestration/mcp/http_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "orchestration/mcp/http_requests.h"
#include "orchestration/mcp/message.h"
#include "tests/fakes/eventually.h"

namespace parley::orchestration::mcp {
namespace {

using fetch::FetchRequest;
using fetch::FetchResponse;
using tests::fakes::eventually;

// Answers each request as the test says; the body goes the way that libcurl's would.
class ScriptedFetcher final : public fetch::Fetcher {
 public:
  struct Reply {
    FetchResponse::End end = FetchResponse::End::complete;
    int status = 200;
    std::string type = "application/json";
    std::string body = {};
    std::string session = {};
    std::string error = {};
  };

  FetchResponse fetch(const FetchRequest& request) const override {
    Reply reply;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
      reply = on_request(request);
    }
    FetchResponse response;
    response.end = reply.end;
    response.error = reply.error;
    response.status = reply.status;
    response.headers = {{"content-type", reply.type}};
    if (!reply.session.empty()) response.headers.emplace_back("mcp-session-id", reply.session);
    if (reply.end != FetchResponse::End::complete) return response;
    if (request.on_head) request.on_head(response.status, response.headers);
    if (request.on_body && !request.on_body(reply.body)) response.end = FetchResponse::End::stopped;
    return response;
  }

  std::vector<FetchRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

  std::function<Reply(const FetchRequest&)> on_request;

 private:
  mutable std::mutex mutex_;
  mutable std::vector<FetchRequest> requests_;
};

struct HttpTransportTest : testing::Test {
  HttpTransportTest() {
    TransportHandlers handlers;
    handlers.on_message = [this](std::string_view text, std::int64_t stream) {
      note("message " + std::to_string(stream) + " " + std::string(text));
    };
    handlers.on_failed = [this](std::int64_t request, int status, const std::string& reason) {
      note("failed " + std::to_string(request) + " " + std::to_string(status) + " " + reason);
    };
    handlers.on_log = [this](std::string_view line) { note("log " + std::string(line)); };
    handlers.on_closed = [this](const std::string& reason) { note("closed " + reason); };
    transport =
        make_http_transport({.url = "http://h/mcp", .headers = {{"X", "y"}}, .trusted_origins = {}}, fetcher);
    transport->start(std::move(handlers));
  }

  void note(const std::string& what) {
    const std::lock_guard lock(mutex);
    notes.push_back(what);
  }
  std::string first_note() {
    eventually([this] {
      const std::lock_guard lock(mutex);
      return !notes.empty();
    });
    const std::lock_guard lock(mutex);
    return notes.empty() ? "" : notes.front();
  }
  std::string answer_to(const ScriptedFetcher::Reply& reply, std::int64_t id = 5) {
    fetcher->on_request = [reply](const FetchRequest&) { return reply; };
    transport->send(request(id, "tools/list"));
    return first_note();
  }
  static Outgoing request(std::int64_t id, const std::string& method) {
    Outgoing message;
    message.text = request_text(id, method, {});
    message.request = id;
    message.method = method;
    return message;
  }
  static std::string header(const FetchRequest& request, std::string_view name) {
    for (const auto& [key, value] : request.headers) {
      if (key == name) return value;
    }
    return "(none)";
  }

  std::mutex mutex;
  std::vector<std::string> notes;
  const std::shared_ptr<ScriptedFetcher> fetcher = std::make_shared<ScriptedFetcher>();
  std::unique_ptr<Transport> transport;
};

TEST_F(HttpTransportTest, an_answer_is_a_message_on_its_request_s_stream) {
  EXPECT_EQ(answer_to({.body = R"({"id":5,"result":{}})"}), R"(message 5 {"id":5,"result":{}})");
  const FetchRequest sent = fetcher->requests().front();
  EXPECT_EQ(sent.method, "POST");
  EXPECT_EQ(header(sent, "Accept"), "application/json, text/event-stream");
  EXPECT_EQ(header(sent, "MCP-Protocol-Version"), "2026-07-28");
  EXPECT_EQ(header(sent, "Mcp-Method"), "tools/list");
  EXPECT_EQ(header(sent, "Mcp-Name"), "(none)");
  EXPECT_EQ(header(sent, "X"), "y");
}

TEST_F(HttpTransportTest, events_are_messages_and_their_odd_types_are_not) {
  EXPECT_EQ(
      answer_to({.type = "text/event-stream; charset=utf-8",
                 .body = ": hi\n\nevent: endpoint\ndata: /x\n\ndata: {\"id\":5,\ndata: \"result\":{}}\n\n"}),
      "message 5 {\"id\":5,\n\"result\":{}}");
}

TEST_F(HttpTransportTest, an_error_in_the_body_is_the_servers_answer_whatever_the_status) {
  EXPECT_EQ(answer_to({.status = 400, .body = R"({"error":{"code":-32020,"message":"m"}})"}),
            R"(message 5 {"error":{"code":-32020,"message":"m"}})");
}

TEST_F(HttpTransportTest, other_bodies_of_failures_are_words) {
  EXPECT_EQ(answer_to({.status = 404, .type = "text/html", .body = "<h1>Not\x1b[1m found</h1>"}),
            "failed 5 404 HTTP status 404: <h1>Not found</h1>");
}

TEST_F(HttpTransportTest, a_missing_key_is_named) {
  EXPECT_EQ(answer_to({.status = 401, .body = ""}),
            "failed 5 401 HTTP status 401, check the headers with which it is to be asked");
}

TEST_F(HttpTransportTest, a_request_that_is_only_accepted_has_failed) {
  EXPECT_EQ(answer_to({.status = 202, .body = ""}),
            "failed 5 202 it accepted the request and gave no answer");
}

TEST_F(HttpTransportTest, a_stream_without_the_answer_has_failed) {
  EXPECT_EQ(answer_to({.type = "text/event-stream", .body = "id: 7\ndata:\n\n"}), "message 5 ");
  EXPECT_TRUE(eventually([this] {
    const std::lock_guard lock(mutex);
    return notes.back() == "failed 5 0 the stream of its answer ended without the answer";
  }));
}

TEST_F(HttpTransportTest, an_answer_beyond_the_limit_fails_its_request_only) {
  const std::string note = answer_to({.body = std::string(kMaxMessageBytes + 1, ' ')});
  EXPECT_TRUE(note.starts_with("failed 5 0 its answer is too long")) << note;
  EXPECT_EQ(notes.size(), 1u);
}

TEST_F(HttpTransportTest, a_server_that_cannot_be_reached_is_down) {
  EXPECT_EQ(answer_to({.end = FetchResponse::End::failed, .error = "connection refused"}),
            "failed 5 0 connection refused");
  EXPECT_TRUE(eventually([this] {
    const std::lock_guard lock(mutex);
    return notes.back() == "closed connection refused";
  }));
}

TEST_F(HttpTransportTest, a_session_is_kept_sent_and_ended_and_its_loss_is_the_end) {
  transport->speak({.era = Era::legacy, .version = "2025-11-25"});
  fetcher->on_request = [](const FetchRequest& sent) -> ScriptedFetcher::Reply {
    if (sent.body.find("initialize") != std::string::npos)
      return {.body = R"({"id":1,"result":{}})", .session = "s-1"};
    return {.status = sent.method == "GET" ? 405 : 404};
  };
  transport->send(request(1, "initialize"));
  ASSERT_TRUE(first_note().starts_with("message 1"));
  EXPECT_EQ(header(fetcher->requests()[0], "MCP-Protocol-Version"), "(none)");
  transport->send(request(2, "tools/list"));
  EXPECT_TRUE(eventually([this] {
    const std::lock_guard lock(mutex);
    return std::find(notes.begin(), notes.end(), "closed its session is over") != notes.end();
  }));
  EXPECT_EQ(header(fetcher->requests()[1], "Mcp-Session-Id"), "s-1");
  EXPECT_EQ(header(fetcher->requests()[1], "Mcp-Method"), "(none)");
  transport->close();
  EXPECT_EQ(fetcher->requests().back().method, "DELETE");
  EXPECT_EQ(header(fetcher->requests().back(), "Mcp-Session-Id"), "s-1");
}

TEST_F(HttpTransportTest, a_server_that_wants_to_be_asked_all_the_time_is_not) {
  std::atomic<int> asked{0};
  fetcher->on_request = [&](const FetchRequest& sent) -> ScriptedFetcher::Reply {
    if (sent.method != "GET") return {.status = 202};
    ++asked;
    return {.type = "text/event-stream", .body = "retry: 1\n\n"};
  };
  transport->speak({.era = Era::legacy, .version = "2025-11-25"});
  Outgoing initialized = request(0, "notifications/initialized");
  initialized.delivery = Outgoing::Delivery::before_return;
  transport->send(initialized);
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  EXPECT_GE(asked, 2);
  EXPECT_LE(asked, 5) << "100, 200, 400, 800 ms";
  {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(notes.empty());
  }
  transport->close();
}

TEST_F(HttpTransportTest, streams_that_bring_something_are_asked_for_as_the_server_wishes) {
  std::atomic<int> asked{0};
  fetcher->on_request = [&](const FetchRequest& sent) -> ScriptedFetcher::Reply {
    if (sent.method != "GET") return {.type = "text/event-stream", .body = "id: 1\nretry: 1\ndata:\n\n"};
    const bool is_done = ++asked == 8;
    return {.type = "text/event-stream",
            .body = is_done ? "data: {\"id\":5,\"result\":{}}\n\n" : "id: 2\nretry: 1\ndata:\n\n"};
  };
  transport->speak({.era = Era::legacy, .version = "2025-11-25"});
  transport->send(request(5, "tools/list"));
  EXPECT_TRUE(eventually(
      [this] {
        const std::lock_guard lock(mutex);
        return std::find(notes.begin(), notes.end(), R"(message 5 {"id":5,"result":{}})") != notes.end();
      },
      std::chrono::milliseconds(10'000)))
      << "and not after 12 s of growing pauses";
  transport->release(5);
}

TEST_F(HttpTransportTest, a_session_id_that_no_header_can_carry_is_not_kept) {
  EXPECT_TRUE(is_session_id("1868a90c-f2_!~"));
  for (const char* id : {"", "a b", "a\r\nX: y", "ä", "a\x7f"}) EXPECT_FALSE(is_session_id(id)) << id;
  EXPECT_FALSE(is_session_id(std::string(5000, 'a')));
}

TEST_F(HttpTransportTest, too_many_requests_at_once_fail_at_once) {
  std::atomic<bool> go{false};
  struct Waiting final : fetch::Fetcher {
    explicit Waiting(std::atomic<bool>& may_go) : go(may_go) {}
    FetchResponse fetch(const FetchRequest& sent) const override {
      while (!go && !sent.stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return {};
    }
    std::atomic<bool>& go;
  };
  const auto busy = make_http_transport({.url = "http://h/", .headers = {}, .trusted_origins = {}},
                                        std::make_shared<Waiting>(go));
  int refused = 0;
  TransportHandlers handlers;
  handlers.on_failed = [&](std::int64_t, int, const std::string&) { ++refused; };
  handlers.on_closed = [](const std::string&) {};
  busy->start(std::move(handlers));
  for (int i = 1; i <= 70; ++i) busy->send(request(i, "a"));
  EXPECT_EQ(refused, 6);
  busy->close();
}

}  // namespace
}  // namespace parley::orchestration::mcp
