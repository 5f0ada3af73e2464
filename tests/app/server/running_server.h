#pragma once
// The whole server on a thread of its own, with a fake hub and an echoing model, for tests from outside.

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "app/server/server.h"
#include "orchestration/turn/model_slot.h"
#include "tests/fakes/echo_chat_model.h"
#include "tests/fakes/eventually.h"
#include "tests/fakes/fake_catalogue.h"
#include "tests/fakes/fake_hub.h"

namespace parley::app::server {

enum class Model { loading, ready };

class RunningServer {
  std::unique_ptr<boost::asio::io_context> owned_io_;  // outlives all that follows

 public:
  explicit RunningServer(ServerOptions options = {}, Model model = Model::ready);
  ~RunningServer();

  std::uint16_t port() const { return port_; }

  // Runs `work` on the I/O thread, where hub, slot and statistics live, and returns what it returns.
  template <typename Work>
  auto on_io(Work work) {
    std::packaged_task<decltype(work())()> task(std::move(work));
    auto result = task.get_future();
    boost::asio::post(io_, [&task] { task(); });
    return result.get();
  }

  tests::fakes::FakeHub hub;
  tests::fakes::FakeCatalogue tools;
  std::shared_ptr<orchestration::turn::ModelSlot> slot;
  std::optional<inference::engine::EngineStats> stats;
  std::atomic<bool> stats_fail{false};
  std::shared_ptr<tests::fakes::EchoCounters> counters;
  std::shared_ptr<tests::fakes::EchoRequests> seen;
  std::vector<std::string> log;

  void stop(std::chrono::milliseconds drain);  // returns at once
  bool wait_until_stopped(std::chrono::milliseconds limit);

 private:
  std::optional<inference::engine::EngineStats> engine_stats() const;
  RunningServer(ServerOptions options, Model model, std::unique_ptr<boost::asio::io_context> io);

  boost::asio::io_context& io_;
  api::GenerationMeter meter_;
  std::unique_ptr<Server> server_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

using tests::fakes::eventually;

}  // namespace parley::app::server
