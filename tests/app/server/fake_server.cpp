// The real server with conversations in memory and a model that echoes (tests/fakes/echo_chat_model.h), for
// clients in other languages and for work on the UI:
//   parley_fake_server [--port N] [--ui-dir DIR] [--access-key KEY] [--loading-ms MS] [--max-requests N]
//   [--tools LOG]
// With --tools requests to /v1 may call three tools, and calls are logged there: `repeat` says its argument
// "say", `wait` runs until it is stopped, `shell` would ask first.
#include <iostream>
#include <memory>
#include <string>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "app/api/generation_meter.h"
#include "app/server/server.h"
#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/model_slot.h"
#include "tests/fakes/echo_chat_model.h"
#include "tests/fakes/memory_store.h"
#include "tests/fakes/scripted_tool.h"

namespace {

namespace asio = boost::asio;
namespace server = parley::app::server;
namespace turn = parley::orchestration::turn;

struct Options {
  server::ServerOptions server;
  int loading_ms = 0;
  std::string tools_log;  // empty: no tools
};

Options read_options(int argc, char** argv) {
  Options options;
  options.server.port = 0;
  options.server.version = "0.0.0-fake";
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--port") options.server.port = static_cast<std::uint16_t>(std::stoi(value));
    if (name == "--ui-dir") options.server.ui_dir = value;
    if (name == "--access-key") options.server.access_key = value;
    if (name == "--loading-ms") options.loading_ms = std::stoi(value);
    if (name == "--tools") options.tools_log = value;
    if (name == "--max-requests") options.server.http_limits.max_requests = std::stoi(value);
  }
  return options;
}

// Loads in ten steps.
asio::awaitable<void> load(turn::ModelSlot& slot, std::shared_ptr<turn::ChatModel> model, int loading_ms) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  for (int step = 0; step < 10 && loading_ms > 0; ++step) {
    slot.set_progress(step / 10.0);
    timer.expires_after(std::chrono::milliseconds(loading_ms / 10));
    co_await timer.async_wait(asio::use_awaitable);
  }
  slot.set_ready(std::move(model));
}

std::shared_ptr<const parley::orchestration::tools::RegistryState> make_tools() {
  using parley::fakes::ScriptedTool;
  using parley::orchestration::tools::Decision;
  auto repeat = std::make_shared<ScriptedTool>("repeat", "say");
  repeat->on_run = [](const auto& arguments, const auto&) {
    parley::orchestration::tools::ToolResult result;
    result.text = arguments.at("say").as_string();
    return result;
  };
  auto wait = std::make_shared<ScriptedTool>("wait", "why");
  wait->wait_in_run();
  auto shell = std::make_shared<ScriptedTool>("shell", "line");
  return parley::fakes::state_with({std::move(repeat), std::move(wait), std::move(shell)},
                                   {{"*", "", Decision::automatic}, {"shell", "", Decision::ask}});
}

std::unique_ptr<turn::ToolDesk> make_desk(const Options& options, const asio::any_io_executor& executor) {
  if (options.tools_log.empty()) return nullptr;
  turn::ToolDeskParts parts;
  parts.current = [tools = make_tools()] { return tools; };
  parts.audit_file = options.tools_log;
  return std::make_unique<turn::ToolDesk>(executor, std::move(parts));
}

int serve(const Options& options) {
  asio::io_context io(1);
  asio::thread_pool store_thread(1);
  const auto store = parley::tests::fakes::make_memory_store();
  turn::ModelInfo info;
  info.name = "echo";
  const auto slot = turn::make_model_slot(info);
  const auto hub = turn::make_conversation_hub(*store, store_thread, *slot, io.get_executor(), {});
  const auto desk = make_desk(options, io.get_executor());
  parley::app::api::GenerationMeter meter;
  server::ServerParts parts{*hub, *slot, {}, {}};
  parts.meter = &meter;
  parts.desk = desk.get();
  parts.log = [](const std::string& line) { std::cerr << line << std::endl; };
  const auto server = server::make_server(io.get_executor(), options.server, std::move(parts));
  std::cout << "listening on http://127.0.0.1:" << server->port() << std::endl;

  auto echo = parley::tests::fakes::make_echo_chat_model(
      io.get_executor(), std::make_shared<parley::tests::fakes::EchoCounters>());
  asio::co_spawn(io, load(*slot, std::move(echo), options.loading_ms), asio::detached);
  asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (!error) server->stop(std::chrono::milliseconds(2000));
  });
  asio::co_spawn(io, server->run(), [&](const std::exception_ptr&) {
    signals.cancel();
    asio::co_spawn(io, hub->shut_down(std::chrono::milliseconds(500)), asio::detached);
  });
  io.run();
  store_thread.join();
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return serve(read_options(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
  }
}
