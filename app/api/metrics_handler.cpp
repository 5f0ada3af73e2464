#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <utility>

#include "app/api/api_routes.h"
#include "app/api/prometheus_page.h"

namespace parley::app::api {
namespace {

namespace asio = boost::asio;
using inference::engine::EngineStats;
using inference::engine::StopReason;
using orchestration::turn::ModelSlot;

double as_double(std::uint64_t count) { return static_cast<double>(count); }

std::uint64_t finished(const EngineStats& stats, StopReason reason) {
  return stats.finished[static_cast<std::size_t>(reason)];
}

double share_of_cache(const EngineStats& stats) {
  return stats.total_blocks == 0 ? 0 : static_cast<double>(stats.referenced_blocks) / stats.total_blocks;
}

// The names that vLLM's dashboards know.
void add_vllm_names(PrometheusPage& page, const EngineStats& stats) {
  page.gauge("vllm:num_requests_running", "Requests that are being generated.", stats.running);
  page.gauge("vllm:num_requests_waiting", "Requests in the queue.", stats.waiting);
  page.gauge("vllm:kv_cache_usage_perc", "Share of the KV blocks that running requests hold (1 is all).",
             share_of_cache(stats));
  page.gauge("vllm:gpu_cache_usage_perc", "The same under its older name.", share_of_cache(stats));
  page.counter("vllm:prefix_cache_queries_total", "Prompt tokens looked up in the prefix cache.",
               as_double(stats.prompt_tokens));
  page.counter("vllm:prefix_cache_hits_total", "Prompt tokens found there.", as_double(stats.cached_tokens));
  page.counter("vllm:num_preemptions_total",
               "Requests that gave their KV blocks back and were computed again.",
               as_double(stats.preemptions));
  page.counter("vllm:prompt_tokens_total", "Prompt tokens of requests.", as_double(stats.prompt_tokens));
  page.counter("vllm:generation_tokens_total", "Tokens generated.", as_double(stats.generated_tokens));
  const char* ended = "vllm:request_success_total";
  page.family(ended, "counter", "Requests that ended, as the engine saw it (a stop string counts as abort).");
  page.sample(ended, {{"finished_reason", "stop"}}, as_double(finished(stats, StopReason::stop_token)));
  page.sample(ended, {{"finished_reason", "length"}},
              as_double(finished(stats, StopReason::max_tokens) + finished(stats, StopReason::context_end)));
  page.sample(ended, {{"finished_reason", "abort"}}, as_double(finished(stats, StopReason::cancelled)));
  page.family("vllm:cache_config_info", "gauge", "Size of the KV cache.");
  page.sample("vllm:cache_config_info",
              {{"block_size", std::to_string(stats.block_tokens)},
               {"num_gpu_blocks", std::to_string(stats.total_blocks)}},
              1);
}

// The names that llama.cpp's dashboards know.
void add_llama_names(PrometheusPage& page, const EngineStats& stats) {
  page.counter("llamacpp:prompt_tokens_total", "Prompt tokens computed.", as_double(stats.computed_tokens));
  page.counter("llamacpp:prompt_tokens_cached_total", "Prompt tokens taken from the cache.",
               as_double(stats.cached_tokens));
  page.counter("llamacpp:tokens_predicted_total", "Tokens generated.", as_double(stats.generated_tokens));
  page.counter("llamacpp:n_decode_total", "Steps of the model.", as_double(stats.steps));
  page.gauge("llamacpp:requests_processing", "Requests that are being generated.", stats.running);
  page.gauge("llamacpp:requests_deferred", "Requests in the queue.", stats.waiting);
  page.gauge("llamacpp:kv_cache_usage_ratio", "Share of the KV cache that running requests hold.",
             share_of_cache(stats));
}

void add_engine(PrometheusPage& page, const EngineStats& stats) {
  add_vllm_names(page, stats);
  add_llama_names(page, stats);
  page.gauge("parley_engine_alive", "1 while the engine's loop runs.", stats.alive ? 1 : 0);
  page.gauge("parley_kv_blocks_cached", "KV blocks kept for reuse.", stats.cached_blocks);
  page.gauge("parley_kv_blocks", "All KV blocks.", stats.total_blocks);
  page.counter("parley_requests_total", "Requests that the engine took.", as_double(stats.accepted));
  page.counter("parley_recomputed_tokens_total",
               "Tokens computed again after a preemption: work lost to too small a KV cache.",
               as_double(stats.recomputed_tokens));
  page.counter("parley_prefix_waits_total",
               "Requests that waited while another computed their prefix, instead of computing it too.",
               as_double(stats.twin_waits));
  page.counter("parley_starved_requests_total",
               "Requests passed over so often that they went to the front of the queue.",
               as_double(stats.starvation_promotions));
  page.counter(
      "parley_read_ahead_tokens_total",
      "Tokens read before anybody asked, of system texts and tools, while there was nothing else to do.",
      as_double(stats.read_ahead_tokens));
  page.counter("parley_forced_tokens_total",
               "Tokens appended without being drawn, because what is enforced left no choice.",
               as_double(stats.forced_tokens));
  page.counter("parley_requests_failed_total", "Requests that ended by an error.",
               as_double(finished(stats, StopReason::failed)));
}

void add_meter(PrometheusPage& page, const GenerationMeter& meter) {
  page.histogram("vllm:time_to_first_token_seconds", "From a request's arrival to its first token.",
                 meter.first_token_seconds);
  page.histogram("vllm:inter_token_latency_seconds", "Between two deliveries of a request.",
                 meter.inter_token_seconds);
  page.histogram("vllm:request_time_per_output_token_seconds", "Time of decoding by token, per request.",
                 meter.time_per_token_seconds);
  page.histogram("vllm:e2e_request_latency_seconds", "From a request's arrival to its end.",
                 meter.request_seconds);
  page.histogram("vllm:request_queue_time_seconds", "How long a request waited for the engine.",
                 meter.queue_seconds);
  page.histogram("vllm:request_prompt_tokens", "Prompt tokens per request.", meter.prompt_tokens);
  page.histogram("vllm:request_generation_tokens", "Generated tokens per request.", meter.generated_tokens);
}

void add_server(PrometheusPage& page, const ModelSlot& slot, const ServerCounters& counters) {
  page.gauge("parley_model_loaded", "1 once the model answers.",
             slot.state() == ModelSlot::State::ready ? 1 : 0);
  page.gauge("parley_model_load_progress", "Share of the model that is loaded.", slot.progress());
  page.gauge("parley_connections", "Open connections.", as_double(counters.connections));
  page.gauge("parley_websockets", "Open WebSockets.", as_double(counters.web_sockets));
  page.family("parley_http_responses_total", "counter", "Responses by status.");
  for (const auto& [status, count] : counters.responses) {
    page.sample("parley_http_responses_total", {{"code", std::to_string(status)}}, as_double(count));
  }
}

void add_process(PrometheusPage& page) {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  std::uint64_t resident_pages = 0;
  if (statm >> pages >> resident_pages) {
    page.gauge("process_resident_memory_bytes", "Memory in use.",
               as_double(resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))));
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  page.counter("process_cpu_seconds_total", "Processor time used.",
               seconds(usage.ru_utime) + seconds(usage.ru_stime));
}

class MetricsHandler : public http::Handler {
 public:
  MetricsHandler(ModelSlot& slot, StatsSource stats, std::function<ServerCounters()> counters,
                 const GenerationMeter* meter)
      : slot_(slot), stats_(std::move(stats)), counters_(std::move(counters)), meter_(meter) {}

  asio::awaitable<void> handle(http::Exchange& exchange) override { co_await exchange.respond(answer()); }

 private:
  http::Response answer() const {
    PrometheusPage engine({{"model_name", slot_.info().name}, {"engine", "0"}});
    const auto stats = stats_ ? stats_() : std::nullopt;
    if (stats) add_engine(engine, *stats);
    if (meter_ != nullptr) add_meter(engine, *meter_);
    PrometheusPage server;
    add_server(server, slot_, counters_());
    add_process(server);
    http::Response response;
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    response.fields.push_back({"Cache-Control", "no-store"});
    response.body = engine.take() + server.take();
    return response;
  }

  ModelSlot& slot_;
  StatsSource stats_;
  std::function<ServerCounters()> counters_;
  const GenerationMeter* meter_;
};

}  // namespace

std::unique_ptr<http::Handler> make_metrics(ModelSlot& slot, StatsSource stats,
                                            std::function<ServerCounters()> counters,
                                            const GenerationMeter* meter) {
  return std::make_unique<MetricsHandler>(slot, std::move(stats), std::move(counters), meter);
}

}  // namespace parley::app::api
