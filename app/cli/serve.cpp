// parley serve: wires the whole process together and runs it until SIGINT or SIGTERM.

#include <csignal>
#include <iostream>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>

#include "app/api/generation_meter.h"
#include "app/cli/command.h"
#include "app/cli/model_loading.h"
#include "app/cli/options.h"
#include "app/cli/tool_host.h"
#include "app/cli/version.h"
#include "app/config/load_config.h"
#include "app/models/start_engine.h"
#include "app/server/server.h"
#include "orchestration/sessions/session_store.h"
#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/model_slot.h"
#include "orchestration/turn/stored_call_outputs.h"
#include "orchestration/turn/tool_desk.h"

namespace parley::app::cli {
namespace {

namespace asio = boost::asio;
using config::Config;

constexpr std::size_t kWorkerThreads = 2;

Config read_config(const Options& options) {
  config::ConfigSources sources;
  sources.file = options.text("config").value_or("");
  sources.environment = config::process_environment();
  for (const config::Setting& setting : config::settings()) {
    if (auto text = options.text(config::option_name(setting))) {
      sources.command_line.emplace_back(setting.key, std::move(*text));
    }
  }
  return config::load_config(sources);
}

models::LoadOptions load_options(const Config& config) {
  models::LoadOptions load;
  load.threads = config.threads;
  load.context = config.context;
  load.kv_memory = config.kv_memory;
  load.kv_type = config.kv_type;
  load.step_time = config.step_time;
  load.max_sequences = config.max_sequences;
  load.max_waiting = config.max_waiting;
  return load;
}

orchestration::turn::GenerationOptions generation_defaults(const Config& config) {
  orchestration::turn::GenerationOptions defaults;
  defaults.sampling.temperature = static_cast<float>(config.temperature);
  defaults.sampling.top_k = config.top_k;
  defaults.sampling.top_p = static_cast<float>(config.top_p);
  defaults.sampling.min_p = static_cast<float>(config.min_p);
  defaults.sampling.repeat_penalty = static_cast<float>(config.repeat_penalty);
  defaults.max_tokens = config.max_tokens;
  return defaults;
}

server::ServerOptions server_options(const Config& config) {
  server::ServerOptions options;
  options.host = config.host;
  options.port = config.port;
  options.access_key = config.access_key;
  options.allowed_hosts = config.allowed_hosts;
  options.ui_dir = config.ui_dir;
  options.version = std::string(kVersion);
  return options;
}

std::unique_ptr<orchestration::sessions::SessionStore> open_store(const std::filesystem::path& data_dir) {
  orchestration::sessions::StoreReport report;
  auto store = orchestration::sessions::open_sqlite_store(data_dir, report);
  if (!report.corrupt_copy.empty()) {
    std::cerr << "the conversation database was damaged; it is kept as " << report.corrupt_copy.string()
              << " and a new one was begun" << std::endl;
  }
  if (!report.damaged_log_copy.empty()) {
    std::cerr << "the log of the conversation database was damaged: what stood behind the damage is missing; "
                 "file and log are kept as they were as "
              << report.damaged_log_copy.string() << " and " << report.damaged_log_copy.string() << "-wal"
              << std::endl;
  }
  if (report.interrupted_answers > 0) {
    std::cerr << report.interrupted_answers
              << " answers were cut off when Parley last ended; they can be continued" << std::endl;
  }
  return store;
}

bool is_loopback(const std::string& host) {
  boost::system::error_code error;
  const asio::ip::address address = asio::ip::make_address(host, error);
  return host == "localhost" || (!error && address.is_loopback());
}

// The file of `--tools`, else the user's own, if there is one; empty: no tools.
std::filesystem::path tools_file(const Config& config) {
  if (!is_loopback(config.host)) {
    std::cerr << "tools are off: " << config.host
              << " can be reached from other machines, and there is no login yet" << std::endl;
    return {};
  }
  const auto environment = config::process_environment();
  if (!config.tools_file.empty()) return find_tools_file(config.tools_file.string(), environment);
  if (!std::filesystem::exists(default_tools_file(environment))) return {};
  return find_tools_file(std::nullopt, environment);
}

std::string url(const Config& config, std::uint16_t port) {
  const bool v6 = config.host.find(':') != std::string::npos;
  return "http://" + (v6 ? "[" + config.host + "]" : config.host) + ":" + std::to_string(port);
}

// Any thread: one write a line.
void log_line(const std::string& line) { std::cerr << line + "\n" << std::flush; }

// Runs until the server has stopped; then ends the turns, so that the last words of every answer are saved.
asio::awaitable<void> run_until_stopped(server::Server& server, orchestration::turn::ConversationHub& hub,
                                        asio::signal_set& signals) {
  co_await server.run();
  co_await hub.shut_down(std::chrono::milliseconds(0));
  signals.cancel();
}

// The first signal drains; a second one ends the process at once.
void stop_on_signal(asio::signal_set& signals, server::Server& server,
                    orchestration::turn::ConversationHub& hub, asio::io_context& io,
                    std::chrono::milliseconds drain) {
  signals.async_wait([&, drain](const boost::system::error_code& error, int) {
    if (error) return;
    std::cerr << "stopping; running answers get " << drain.count() / 1000
              << " s, a second signal ends at once" << std::endl;
    server.stop(drain);
    asio::co_spawn(io, hub.shut_down(drain), asio::detached);
    signals.async_wait([](const boost::system::error_code& second, int) {
      if (!second) std::_Exit(130);
    });
  });
}

// Null where there is no file.
std::unique_ptr<ToolHost> start_tool_host(
    const Config& config, const asio::any_io_executor& executor, orchestration::turn::ToolProfile profile,
    std::shared_ptr<const orchestration::tools::StoredOutputs> outputs) {
  const std::filesystem::path file = tools_file(config);
  if (file.empty()) return nullptr;
  auto box =
      std::make_unique<ToolBox>(file, config.data_dir, config::process_environment(), std::move(outputs));
  ToolHostOptions options;
  options.chosen =
      profile == orchestration::turn::ToolProfile::native ? DefaultTools::all : DefaultTools::none;
  return std::make_unique<ToolHost>(std::move(box), executor, options);
}

std::unique_ptr<orchestration::turn::ToolDesk> make_desk(const Config& config, const ToolHost* host,
                                                         const asio::any_io_executor& executor) {
  if (host == nullptr) return nullptr;
  orchestration::turn::ToolDeskParts parts;
  parts.current = [host] { return host->registry(); };
  parts.approvals_file = config.data_dir / "approvals.json";
  parts.audit_file = config.data_dir / "tools.log";
  parts.log = log_line;
  return std::make_unique<orchestration::turn::ToolDesk>(executor, std::move(parts));
}

void run_process(const Config& config) {
  models::OpenedModel model =
      models::open_model(models::find_model(config.model, config::process_environment()));
  const auto store = open_store(config.data_dir);

  asio::io_context io(1);
  asio::thread_pool store_thread(1);
  asio::thread_pool workers(kWorkerThreads);
  const auto slot = orchestration::turn::make_model_slot(model_info(model, config.context));
  const auto outputs =
      std::make_shared<orchestration::turn::StoredCallOutputs>(*store, store_thread);  // tools may outlive it
  const auto host = start_tool_host(config, io.get_executor(), slot->info().tool_profile, outputs);
  const auto desk = make_desk(config, host.get(), io.get_executor());  // ends before the host
  orchestration::turn::HubOptions hub_options;
  hub_options.tools = desk.get();
  hub_options.defaults = generation_defaults(config);
  hub_options.log = log_line;
  api::GenerationMeter meter;
  const auto metered = api::make_metered_model(*slot, meter);
  const auto hub = make_conversation_hub(*store, store_thread, *metered, io.get_executor(), hub_options);

  std::unique_ptr<ModelLoading> loading;
  server::ServerParts parts{*hub, *slot, [&] { return loading->engine_stats(); }, hub_options.defaults};
  parts.meter = &meter;
  parts.tools = host.get();
  parts.desk = desk.get();
  parts.log = log_line;
  const auto server = server::make_server(io.get_executor(), server_options(config), parts);
  asio::signal_set signals(io, SIGINT, SIGTERM);
  stop_on_signal(signals, *server, *hub, io, config.drain_time);
  std::cout << "listening on " << url(config, server->port()) << std::endl;
  std::cout.clear();  // a server serves on where nobody can read this line
  loading = start_model_loading(std::move(model), load_options(config), {slot, io.get_executor(), workers});

  std::exception_ptr failure;
  asio::co_spawn(io, run_until_stopped(*server, *hub, signals), [&](std::exception_ptr error) {
    failure = std::move(error);
    signals.cancel();
  });
  io.run();
  loading.reset();
  workers.join();
  outputs->close();
  store_thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

int run_serve(const Arguments& arguments) {
  Options options("serve [--config FILE] [options]", "Starts the chat server.");
  options.add_value("config", "FILE", "configuration as JSON (config/parley.json shows every key)");
  for (const config::Setting& setting : config::settings()) {
    options.add_value(config::option_name(setting), std::string(setting.value_name),
                      std::string(setting.help));
  }
  if (!options.parse(arguments)) return 0;
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit is an error of that write
  run_process(read_config(options));
  return 0;
}

}  // namespace parley::app::cli
