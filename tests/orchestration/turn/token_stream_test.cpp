#include "orchestration/turn/token_stream.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/fakes/scripted_engine.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

using fakes::EngineScript;
using fakes::ScriptedEngine;

class TokenStreamTest : public testing::Test {
 protected:
  TokenStreamTest() : engine_([this](const auto&) { return script_; }) {}

  static inference::engine::Request request() {
    inference::engine::Request result;
    result.prompt = {1, 2, 3};
    return result;
  }

  IoDriver io_;
  EngineScript script_;
  ScriptedEngine engine_;
};

TEST_F(TokenStreamTest, DeliversAllInOrder) {
  std::vector<std::int32_t> ids(5000);
  std::iota(ids.begin(), ids.end(), 0);
  script_.tokens = fakes::scripted_tokens(ids);
  TokenStream stream(engine_, io_.executor());
  EXPECT_FALSE(stream.submit(request()));
  std::vector<std::int32_t> got;
  for (bool ended = false; !ended;) {
    TokenBatch batch = io_.run(stream.next());
    EXPECT_TRUE(!batch.tokens.empty() || batch.finished);
    for (const auto& token : batch.tokens) got.push_back(token.token_id);
    ended = batch.finished.has_value();
  }
  EXPECT_EQ(got, ids);
}

TEST_F(TokenStreamTest, WhatComesWhileNobodyReadsIsOneBatch) {
  script_.tokens = fakes::scripted_tokens({1, 2, 3, 4});
  TokenStream stream(engine_, io_.executor());
  stream.submit(request());
  engine_.wait_until_idle();
  const TokenBatch batch = io_.run(stream.next());
  EXPECT_EQ(batch.tokens.size(), 4u);
  ASSERT_TRUE(batch.finished);
  EXPECT_EQ(batch.finished->completion_tokens, 4);
}

TEST_F(TokenStreamTest, ARejectionIsReturned) {
  script_.rejection.emplace();
  TokenStream stream(engine_, io_.executor());
  EXPECT_TRUE(stream.submit(request()));
  stream.cancel();
  EXPECT_EQ(engine_.num_cancelled(), 0u);
}

TEST_F(TokenStreamTest, CancellingLeadsToTheEnd) {
  script_.until_cancelled = true;
  TokenStream stream(engine_, io_.executor());
  stream.submit(request());
  stream.cancel();
  const TokenBatch batch = io_.run(stream.next());
  ASSERT_TRUE(batch.finished);
  EXPECT_EQ(batch.finished->reason, inference::engine::StopReason::cancelled);
}

TEST_F(TokenStreamTest, DroppingItCancelsAtAnyMoment) {
  script_.tokens = fakes::scripted_tokens(std::vector<std::int32_t>(50, 7));
  script_.until_cancelled = true;
  for (int i = 0; i < 200; ++i) {
    TokenStream stream(engine_, io_.executor());
    stream.submit(request());
    if (i % 3 == 1) io_.run(stream.next());
    if (i % 3 == 2) io_.run_for(std::chrono::milliseconds(0));
  }
  engine_.wait_until_idle();
  EXPECT_EQ(engine_.num_cancelled(), 200u);
}

// The engine may finish after the I/O thread is gone; then nothing may be posted to it.
TEST_F(TokenStreamTest, TheEngineMayOutliveTheReadersThread) {
  script_.tokens = fakes::scripted_tokens(std::vector<std::int32_t>(1000, 7));
  for (int i = 0; i < 50; ++i) {
    auto io = std::make_unique<IoDriver>();
    auto stream = std::make_unique<TokenStream>(engine_, io->executor());
    stream->submit(request());
    stream.reset();
    io.reset();
  }
  engine_.wait_until_idle();
}

}  // namespace
}  // namespace parley::orchestration::turn
