#include "tests/app/server/running_server.h"

#include <stdexcept>

#include <boost/asio/co_spawn.hpp>

namespace parley::app::server {

namespace asio = boost::asio;
namespace turn = orchestration::turn;

namespace {

turn::ModelInfo loading_info() {
  turn::ModelInfo info;
  info.name = "echo";
  return info;
}

}  // namespace

RunningServer::RunningServer(ServerOptions options, Model model)
    : RunningServer(std::move(options), model, std::make_unique<asio::io_context>()) {}

RunningServer::RunningServer(ServerOptions options, Model model, std::unique_ptr<asio::io_context> io)
    : owned_io_(std::move(io)),
      hub(owned_io_->get_executor()),
      tools(owned_io_->get_executor()),
      slot(turn::make_model_slot(loading_info())),
      counters(std::make_shared<tests::fakes::EchoCounters>()),
      seen(std::make_shared<tests::fakes::EchoRequests>()),
      io_(*owned_io_) {
  if (model == Model::ready)
    slot->set_ready(tests::fakes::make_echo_chat_model(io_.get_executor(), counters, seen));
  options.port = 0;
  options.version = "9.9.9";
  ServerParts parts{hub, *slot, [this] { return engine_stats(); }, {}};
  parts.meter = &meter_;
  parts.tools = &tools;
  parts.log = [this](const std::string& line) { log.push_back(line); };
  server_ = make_server(io_.get_executor(), std::move(options), std::move(parts));
  port_ = server_->port();
  asio::co_spawn(io_, server_->run(), [this](const std::exception_ptr&) { stopped_ = true; });
  thread_ = std::thread([this] { io_.run(); });
}

RunningServer::~RunningServer() {
  stop(std::chrono::milliseconds(0));
  thread_.join();
}

std::optional<inference::engine::EngineStats> RunningServer::engine_stats() const {
  if (stats_fail) throw std::runtime_error("no statistics");
  return stats;
}

void RunningServer::stop(std::chrono::milliseconds drain) {
  asio::post(io_, [this, drain] { server_->stop(drain); });
}

bool RunningServer::wait_until_stopped(std::chrono::milliseconds limit) {
  return eventually([this] { return stopped_.load(); }, limit);
}

}  // namespace parley::app::server
