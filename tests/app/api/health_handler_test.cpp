#include <gtest/gtest.h>

#include "app/api/api_routes.h"
#include "tests/app/api/fake_exchange.h"

namespace parley::app::api {
namespace {

class NoModel : public orchestration::turn::ChatModel {
 public:
  const orchestration::turn::ModelInfo& info() const override { return info_; }
  orchestration::turn::TokenCounter token_counter() const override {
    return orchestration::turn::rough_token_count;
  }
  boost::asio::awaitable<orchestration::turn::ChatStart> start_chat(
      orchestration::turn::ChatRequest) override {
    co_return orchestration::turn::ChatRejection();
  }
  boost::asio::awaitable<orchestration::turn::ChatStart> start_completion(
      orchestration::turn::CompletionRequest) override {
    co_return orchestration::turn::ChatRejection();
  }

 private:
  orchestration::turn::ModelInfo info_;
};

class HealthHandlerTest : public testing::Test {
 protected:
  http::Response health() { return answer_to_get(*handler_, "/health"); }
  void observe(bool alive) {
    inference::engine::EngineStats stats;
    stats.alive = alive;
    heartbeat_.observe(stats, Heartbeat::Clock::now());
  }

  std::shared_ptr<orchestration::turn::ModelSlot> slot_ = orchestration::turn::make_model_slot({});
  Heartbeat heartbeat_;
  std::unique_ptr<http::Handler> handler_ = make_health(*slot_, heartbeat_);
};

TEST_F(HealthHandlerTest, TellsHowFarLoadingIs) {
  slot_->set_progress(0.4);
  const auto response = health();
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.body, R"({"status":"loading","progress":0.4})");
  EXPECT_EQ(response.fields.back().name, "Retry-After");
}

TEST_F(HealthHandlerTest, TellsWhyLoadingFailed) {
  slot_->set_failed("The file is damaged.");
  const auto response = health();
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.body, R"({"status":"failed","error":"The file is damaged."})");
}

TEST_F(HealthHandlerTest, IsWellOnceTheModelAnswersAndTheEngineLives) {
  slot_->set_ready(std::make_shared<NoModel>());
  observe(/*alive=*/true);
  EXPECT_EQ(health().status, 200);
  EXPECT_EQ(health().body, R"({"status":"ok"})");
  observe(/*alive=*/false);
  EXPECT_EQ(health().status, 500);
  EXPECT_NE(health().body.find("Restart Parley"), std::string::npos) << health().body;
}

}  // namespace
}  // namespace parley::app::api
