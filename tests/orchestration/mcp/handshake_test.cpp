#include "orchestration/mcp/handshake.h"

#include <gtest/gtest.h>

#include "tests/orchestration/mcp/scripted_transport.h"

namespace parley::orchestration::mcp {
namespace {

using std::chrono::milliseconds;
using Result = std::variant<ServerFacts, std::string>;

constexpr const char* kDiscovery =
    R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},
        "serverInfo":{"name":"m","version":"2"},"instructions":"be\u001b[1m kind"})";

std::string initialized(const std::string& version) {
  return R"({"protocolVersion":")" + version + R"(","capabilities":{"tools":{}},"serverInfo":{"name":"l"}})";
}

struct HandshakeTest : testing::Test {
  using Behaviour = std::function<void(Script&, const Outgoing&)>;

  Result shake(Behaviour on_discover, Behaviour on_initialize, HandshakePlan plan = {}) {
    script->on_send = [=](Script& server, const Outgoing& message) {
      if (message.method == "server/discover") return on_discover(server, message);
      if (message.method == "initialize") on_initialize(server, message);
    };
    plan.probe_limit = milliseconds(50);
    plan.limit = milliseconds(500);
    ServerLog log;
    session = std::make_unique<Session>(script->transport(script), log, SessionEvents{});
    session->start();
    Result result = shake_hands(*session, plan);
    session.reset();
    return result;
  }

  std::vector<std::string> methods() const {
    std::vector<std::string> list;
    for (const Outgoing& message : script->sent()) list.push_back(message.method);
    return list;
  }

  static void silence(Script&, const Outgoing&) {}
  static Behaviour answers(const std::string& result) {
    return [result](Script& server, const Outgoing& message) { server.answer(message.request, result); };
  }
  static Behaviour refuses(std::int64_t code, const std::string& data = "null") {
    return [=](Script& server, const Outgoing& message) { server.refuse(message.request, code, data); };
  }

  std::shared_ptr<Script> script = std::make_shared<Script>();
  std::unique_ptr<Session> session;
};

const std::vector<std::string> kFallback = {"server/discover", "initialize", "notifications/initialized"};

TEST_F(HandshakeTest, a_modern_server_needs_one_question) {
  const auto facts = std::get<ServerFacts>(shake(answers(kDiscovery), refuses(-32601)));
  EXPECT_EQ(facts.dialect.era, Era::modern);
  EXPECT_EQ(facts.name, "m");
  EXPECT_EQ(facts.instructions, "be kind");
  EXPECT_TRUE(facts.has_tools);
  EXPECT_TRUE(facts.tells_changes);
  EXPECT_EQ(methods(), (std::vector<std::string>{"server/discover"}));
}

TEST_F(HandshakeTest, any_error_but_a_modern_one_means_legacy) {
  for (const std::int64_t code : {-32601, -32602, -32600, -32000, -32603, 0, 42, -32002}) {
    script = std::make_shared<Script>();
    const auto facts = std::get<ServerFacts>(shake(refuses(code), answers(initialized("2025-11-25"))));
    EXPECT_EQ(facts.dialect.era, Era::legacy) << code;
    EXPECT_EQ(methods(), kFallback);
    EXPECT_EQ(script->sent().back().delivery, Outgoing::Delivery::before_return);
  }
}

TEST_F(HandshakeTest, silence_and_http_errors_mean_legacy) {
  EXPECT_TRUE(std::holds_alternative<ServerFacts>(shake(silence, answers(initialized("2024-11-05")))));
  EXPECT_EQ(methods(), kFallback);
  script = std::make_shared<Script>();
  const Behaviour not_found = [](Script& server, const Outgoing& message) {
    server.fail(message.request, 404);
  };
  EXPECT_TRUE(std::holds_alternative<ServerFacts>(shake(not_found, answers(initialized("2025-03-26")))));
  EXPECT_EQ(methods(), kFallback);
}

TEST_F(HandshakeTest, each_legacy_version_is_spoken_as_the_server_says) {
  for (const std::string_view version : kLegacyVersions) {
    script = std::make_shared<Script>();
    const auto facts =
        std::get<ServerFacts>(shake(refuses(-32601), answers(initialized(std::string(version)))));
    EXPECT_EQ(facts.dialect.version, version);
    EXPECT_EQ(script->spoken().back().version, version);
    EXPECT_NE(script->sent_with("initialize")[0].find(R"("protocolVersion":"2025-11-25")"),
              std::string::npos);
  }
}

TEST_F(HandshakeTest, a_version_that_nobody_knows_is_a_clear_failure) {
  const auto problem = std::get<std::string>(shake(refuses(-32601), answers(initialized("2031-01-01"))));
  EXPECT_NE(problem.find("2031-01-01"), std::string::npos);
  script = std::make_shared<Script>();
  const auto modern =
      std::get<std::string>(shake(refuses(-32022, R"({"supported":["2030-05-05"]})"), silence));
  EXPECT_NE(modern.find("2030-05-05"), std::string::npos);
  EXPECT_EQ(methods(), (std::vector<std::string>{"server/discover"}));
}

TEST_F(HandshakeTest, a_modern_refusal_that_names_a_legacy_version_is_followed) {
  const auto facts = std::get<ServerFacts>(shake(
      refuses(-32022, R"({"supported":["2024-11-05","2025-06-18"]})"), answers(initialized("2025-06-18"))));
  EXPECT_EQ(facts.dialect.version, "2025-06-18");
  EXPECT_NE(script->sent()[1].text.find(R"("protocolVersion":"2025-06-18")"), std::string::npos);
}

TEST_F(HandshakeTest, other_modern_refusals_are_no_reason_to_fall_back) {
  for (const std::int64_t code : {-32020, -32021}) {
    script = std::make_shared<Script>();
    EXPECT_TRUE(
        std::holds_alternative<std::string>(shake(refuses(code), answers(initialized("2025-11-25")))));
    EXPECT_EQ(methods(), (std::vector<std::string>{"server/discover"}));
  }
}

TEST_F(HandshakeTest, a_server_that_answers_anything_to_the_probe_is_not_taken_for_modern) {
  EXPECT_EQ(
      std::get<ServerFacts>(shake(answers(R"({"hello":1})"), answers(initialized("2025-11-25")))).dialect.era,
      Era::legacy);
}

TEST_F(HandshakeTest, a_modern_server_that_missed_the_probe_is_asked_again) {
  int probes = 0;
  const Behaviour late = [&probes](Script& server, const Outgoing& message) {
    if (++probes == 2) server.answer(message.request, kDiscovery);
  };
  EXPECT_EQ(std::get<ServerFacts>(shake(late, refuses(-32601))).dialect.era, Era::modern);
  EXPECT_EQ(script->spoken().back().era, Era::modern);
}

TEST_F(HandshakeTest, a_server_known_to_be_legacy_is_not_probed) {
  HandshakePlan plan;
  plan.opening = HandshakePlan::Opening::initialize;
  EXPECT_TRUE(std::holds_alternative<ServerFacts>(shake(silence, answers(initialized("2025-11-25")), plan)));
  EXPECT_EQ(methods().front(), "initialize");
}

TEST_F(HandshakeTest, no_answer_at_all_fails_within_the_limit) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NE(std::get<std::string>(shake(silence, silence)).find("no answer in time"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(3000));
  EXPECT_TRUE(script->sent_with("cancelled").empty());
}

TEST_F(HandshakeTest, the_end_of_the_server_is_the_reason) {
  const Behaviour ends = [](Script& server, const Outgoing&) { server.end("exited with status 127"); };
  EXPECT_EQ(std::get<std::string>(shake(ends, silence)), "exited with status 127");
}

TEST_F(HandshakeTest, odd_answers_to_initialize_are_failures) {
  for (const char* result : {"{}", R"({"protocolVersion":5})", R"({"protocolVersion":"2026-07-28"})"}) {
    script = std::make_shared<Script>();
    EXPECT_TRUE(std::holds_alternative<std::string>(shake(refuses(-32601), answers(result)))) << result;
  }
}

}  // namespace
}  // namespace parley::orchestration::mcp
