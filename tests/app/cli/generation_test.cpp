#include "app/cli/generation.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/fakes/message_of.h"
#include "tests/fakes/scripted_engine.h"

namespace parley::app::cli {
namespace {

using fakes::EngineScript;
using fakes::ScriptedEngine;
using inference::engine::GeneratedToken;
using inference::engine::Rejection;
using inference::engine::Request;
using inference::engine::StopReason;

std::vector<std::int32_t> ids_of(const GenerationResult& result) {
  std::vector<std::int32_t> ids;
  for (const GeneratedToken& token : result.tokens) ids.push_back(token.token_id);
  return ids;
}

std::string failure_of(ScriptedEngine& engine) {
  return tests::fakes::message_of([&] { generate(engine, Request{}, nullptr); });
}

TEST(Generate, ReturnsTheTokensAndHowItEnded) {
  ScriptedEngine engine([](const Request&) {
    EngineScript script;
    script.tokens = fakes::scripted_tokens({5, 6, 7});
    return script;
  });
  const GenerationResult result = generate(engine, Request{}, nullptr);
  EXPECT_EQ(ids_of(result), (std::vector<std::int32_t>{5, 6, 7}));
  EXPECT_EQ(result.arrivals.size(), 3u);
  EXPECT_EQ(result.finished.reason, StopReason::stop_token);
}

TEST(Generate, StopsWhenTheCallerHasEnough) {
  ScriptedEngine engine([](const Request&) {
    EngineScript script;
    script.tokens = fakes::scripted_tokens({5, 6});
    script.until_cancelled = true;
    return script;
  });
  const GenerationResult result =
      generate(engine, Request{}, [](const GeneratedToken& token) { return token.token_id != 6; });
  EXPECT_EQ(result.finished.reason, StopReason::cancelled);
  EXPECT_EQ(engine.num_cancelled(), 1u);
}

TEST(Generate, FailureAndRefusalAreErrorsWithWords) {
  ScriptedEngine failing([](const Request&) {
    EngineScript script;
    script.reason = StopReason::failed;
    script.error = "the device is gone";
    return script;
  });
  EXPECT_EQ(failure_of(failing), "the device is gone");
  ScriptedEngine refusing([](const Request&) {
    EngineScript script;
    script.rejection = Rejection{Rejection::Kind::prompt_too_long, 8192, 9000};
    return script;
  });
  EXPECT_NE(failure_of(refusing).find("9000 tokens, but the model takes at most 8192"), std::string::npos);
}

TEST(GenerateAll, KeepsTheOrderOfTheRequests) {
  ScriptedEngine engine([](const Request& request) {
    EngineScript script;
    script.tokens = fakes::scripted_tokens({request.prompt.at(0) * 10, request.prompt.at(0) * 10 + 1});
    return script;
  });
  std::vector<Request> requests(3);
  for (std::int32_t i = 0; i < 3; ++i) requests[static_cast<std::size_t>(i)].prompt = {i};
  const auto results = generate_all(engine, requests);
  ASSERT_EQ(results.size(), 3u);
  for (std::int32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(ids_of(results[static_cast<std::size_t>(i)]), (std::vector<std::int32_t>{i * 10, i * 10 + 1}));
  }
}

}  // namespace
}  // namespace parley::app::cli
