#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "app/api/api_routes.h"
#include "tests/app/api/fake_exchange.h"

namespace parley::app::api {
namespace {

class MetricsHandlerTest : public testing::Test {
 protected:
  MetricsHandlerTest() {
    orchestration::turn::ModelInfo info;
    info.name = "tiny";
    slot_ = orchestration::turn::make_model_slot(info);
    const auto counters = [this] { return counters_; };
    const auto stats = [this] { return stats_; };
    handler_ = make_metrics(*slot_, stats, counters, &meter_);
    without_meter_ = make_metrics(*slot_, nullptr, counters, nullptr);
  }
  std::string page(http::Handler& handler) { return answer_to_get(handler, "/metrics").body; }
  void expect_lines(std::initializer_list<const char*> lines) {
    const std::string all = "\n" + page(*handler_);
    for (const char* line : lines) {
      EXPECT_NE(all.find("\n" + std::string(line) + "\n"), std::string::npos) << line << all;
    }
  }

  std::shared_ptr<orchestration::turn::ModelSlot> slot_;
  std::optional<inference::engine::EngineStats> stats_;
  ServerCounters counters_;
  GenerationMeter meter_;
  std::unique_ptr<http::Handler> handler_, without_meter_;
};

TEST_F(MetricsHandlerTest, IsWhatAScraperExpects) {
  const auto response = answer_to_get(*handler_, "/metrics");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_TRUE(response.body.ends_with("\n"));
}

TEST_F(MetricsHandlerTest, TellsTheEnginesCountersUnderTheirUsualNames) {
  using inference::engine::StopReason;
  inference::engine::EngineStats& stats = stats_.emplace();
  stats.running = 3;
  stats.waiting = 2;
  stats.block_tokens = 32;
  stats.total_blocks = 100;
  stats.referenced_blocks = 25;
  stats.generated_tokens = 12345;
  stats.read_ahead_tokens = 640;
  stats.finished[static_cast<std::size_t>(StopReason::stop_token)] = 7;
  stats.finished[static_cast<std::size_t>(StopReason::max_tokens)] = 2;
  stats.finished[static_cast<std::size_t>(StopReason::context_end)] = 1;
  stats.finished[static_cast<std::size_t>(StopReason::cancelled)] = 4;
  stats.finished[static_cast<std::size_t>(StopReason::failed)] = 9;
  expect_lines(
      {R"(vllm:num_requests_running{model_name="tiny",engine="0"} 3)",
       R"(vllm:num_requests_waiting{model_name="tiny",engine="0"} 2)",
       R"(vllm:kv_cache_usage_perc{model_name="tiny",engine="0"} 0.25)",
       R"(vllm:generation_tokens_total{model_name="tiny",engine="0"} 12345)",
       R"(vllm:request_success_total{model_name="tiny",engine="0",finished_reason="stop"} 7)",
       R"(vllm:request_success_total{model_name="tiny",engine="0",finished_reason="length"} 3)",
       R"(vllm:request_success_total{model_name="tiny",engine="0",finished_reason="abort"} 4)",
       R"(vllm:cache_config_info{model_name="tiny",engine="0",block_size="32",num_gpu_blocks="100"} 1)",
       R"(llamacpp:requests_deferred{model_name="tiny",engine="0"} 2)",
       R"(parley_read_ahead_tokens_total{model_name="tiny",engine="0"} 640)",
       R"(parley_requests_failed_total{model_name="tiny",engine="0"} 9)",
       "# TYPE vllm:num_requests_running gauge"});
}

TEST_F(MetricsHandlerTest, TellsWhereTheEnginesTimeWent) {
  inference::engine::EngineStats& stats = stats_.emplace();
  stats.accepted = 31;
  stats.recomputed_tokens = 32;
  stats.twin_waits = 33;
  stats.starvation_promotions = 34;
  stats.forced_tokens = 35;
  expect_lines({R"(parley_requests_total{model_name="tiny",engine="0"} 31)",
                R"(parley_recomputed_tokens_total{model_name="tiny",engine="0"} 32)",
                R"(parley_prefix_waits_total{model_name="tiny",engine="0"} 33)",
                R"(parley_starved_requests_total{model_name="tiny",engine="0"} 34)",
                R"(parley_forced_tokens_total{model_name="tiny",engine="0"} 35)",
                "# TYPE parley_starved_requests_total counter"});
}

TEST_F(MetricsHandlerTest, TellsTheLatenciesThatWereMeasured) {
  meter_.first_token_seconds.add(0.03);
  meter_.generated_tokens.add(5);
  meter_.queue_seconds.add(0.4);
  expect_lines({R"(vllm:time_to_first_token_seconds_bucket{model_name="tiny",engine="0",le="0.02"} 0)",
                R"(vllm:time_to_first_token_seconds_bucket{model_name="tiny",engine="0",le="0.04"} 1)",
                R"(vllm:time_to_first_token_seconds_count{model_name="tiny",engine="0"} 1)",
                R"(vllm:request_queue_time_seconds_bucket{model_name="tiny",engine="0",le="0.3"} 0)",
                R"(vllm:request_queue_time_seconds_bucket{model_name="tiny",engine="0",le="0.5"} 1)",
                R"(vllm:request_generation_tokens_sum{model_name="tiny",engine="0"} 5)"});
}

TEST_F(MetricsHandlerTest, TellsWhatTheServerDoes) {
  counters_.connections = 4;
  counters_.web_sockets = 2;
  counters_.responses = {{200, 10}, {404, 1}};
  slot_->set_progress(0.5);
  expect_lines({"parley_connections 4", "parley_websockets 2",
                R"(parley_http_responses_total{code="200"} 10)",
                R"(parley_http_responses_total{code="404"} 1)", "parley_model_loaded 0",
                "parley_model_load_progress 0.5"});
}

TEST_F(MetricsHandlerTest, LeavesOutWhatThereIsNot) {
  EXPECT_EQ(page(*handler_).find("kv_cache"), std::string::npos) << "no engine yet";
  EXPECT_EQ(page(*without_meter_).find("vllm:"), std::string::npos);
  EXPECT_NE(page(*without_meter_).find("process_resident_memory_bytes "), std::string::npos);
}

}  // namespace
}  // namespace parley::app::api
