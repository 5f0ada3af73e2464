// parley serve: wires the whole process together and runs it until SIGINT or SIGTERM.

#include <unistd.h>

#include <csignal>
#include <iostream>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>

#include "app/api/generation_meter.h"
#include "app/cli/command.h"
#include "app/cli/model_loading.h"
#include "app/cli/options.h"
#include "app/cli/tool_host.h"
#include "app/cli/tools_off.h"
#include "app/cli/tools_place.h"
#include "app/cli/version.h"
#include "app/config/load_config.h"
#include "app/documents/control_socket.h"
#include "app/models/catalogue.h"
#include "app/models/embedding_model.h"
#include "app/models/start_engine.h"
#include "app/server/server.h"
#include "orchestration/sandbox/tool_user.h"
#include "orchestration/sessions/sqlite_store.h"
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

// Started as root, tools have users of their own, and the kernel's table tells whose a connection is.
bool knows_programs_of_tools() { return ::geteuid() == 0 && ::access("/proc/net/tcp", R_OK) == 0; }

// None of their programs is served, key or not.
std::optional<http::UserRange> refused_users(const ToolHost* host) {
  if (host == nullptr || !knows_programs_of_tools()) return std::nullopt;
  return http::UserRange{orchestration::sandbox::kFirstToolUser, orchestration::sandbox::kLastToolUser};
}

server::ServerOptions server_options(const Config& config, const ToolHost* host) {
  server::ServerOptions options;
  options.host = config.host;
  options.port = config.port;
  options.access_key = config.access_key;
  options.refused_users = refused_users(host);
  options.allowed_hosts = config.allowed_hosts;
  options.ui_dir = config.ui_dir;
  options.version = std::string(kVersion);
  return options;
}

// Any thread: one write a line.
void log_line(const std::string& line) { std::cerr << line + "\n" << std::flush; }

std::unique_ptr<orchestration::sessions::SessionStore> open_store(const std::filesystem::path& data_dir) {
  orchestration::sessions::StoreOptions options;
  options.tell = log_line;
  orchestration::sessions::StoreReport report;
  auto store = orchestration::sessions::open_sqlite_store(data_dir, report, options);
  if (report.rebuilt_indexes) {
    std::cerr << "indexes of the conversation database were damaged and have been made anew; nothing is lost"
              << std::endl;
  }
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

std::string url(const Config& config, std::uint16_t port) {
  const bool v6 = config.host.find(':') != std::string::npos;
  return "http://" + (v6 ? "[" + config.host + "]" : config.host) + ":" + std::to_string(port);
}

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

ToolsPlace find_tools_place(const Config& config) {
  ToolsPlace place = tools_place(config, config::process_environment());
  if (place.is_missed) std::cerr << "tools are off: " << place.why_off << std::endl;
  return place;
}

// What programs of tools are not to see; `config_file` may hold the access key.
OwnPlaces own_places(const Config& config, const std::filesystem::path& config_file) {
  OwnPlaces own{.data_folder = config.data_dir};
  if (!config_file.empty()) own.files.push_back(std::filesystem::absolute(config_file));
  return own;
}

// Null where tools are off.
std::unique_ptr<ToolHost> start_tool_host(
    const Config& config, const std::filesystem::path& file, const OwnPlaces& own,
    const asio::any_io_executor& executor, orchestration::turn::ToolProfile profile,
    std::shared_ptr<const orchestration::tools::StoredOutputs> outputs) {
  if (file.empty()) return nullptr;
  auto box = std::make_unique<ToolBox>(file, own, config::process_environment(), std::move(outputs));
  ToolHostOptions options;
  options.file = file;
  options.door = config.access_key.empty() && !knows_programs_of_tools() ? OwnDoor::open : OwnDoor::guarded;
  options.log = log_line;
  options.chosen =
      profile == orchestration::turn::ToolProfile::native ? DefaultTools::all : DefaultTools::none;
  return std::make_unique<ToolHost>(std::move(box), executor, options);
}

std::unique_ptr<orchestration::turn::ToolDesk> make_desk(const Config& config, ToolHost* host,
                                                         const asio::any_io_executor& executor) {
  if (host == nullptr) return nullptr;
  orchestration::turn::ToolDeskParts parts;
  parts.current = [host] { return host->registry(); };
  parts.approvals_file = config.data_dir / "approvals.json";
  parts.audit_file = config.data_dir / "tools.log";
  parts.log = log_line;
  parts.approvals_changed = [host] { host->tell(); };
  return std::make_unique<orchestration::turn::ToolDesk>(executor, std::move(parts));
}

// Follows the folders that are indexed, and lets `parley index` reach it.
struct Documents {
  std::unique_ptr<models::EmbeddingModel> embedder;  // null: none on this machine
  std::string embedder_name, no_embedder;
  std::unique_ptr<documents::DocumentService> service;
  std::unique_ptr<documents::ControlSocket> socket;  // ends first
};

Documents start_documents(const std::filesystem::path& data_dir,
                          const std::shared_ptr<kernels::cpu::ComputePool>& pool) {
  Documents started;
  documents::DocumentServiceOptions options;
  options.data_dir = data_dir;
  options.worker_program = documents::find_worker_program();
  options.following = documents::Following::on;
  options.log = log_line;
  if (const auto folder = models::find_encoder(config::process_environment())) {
    started.embedder = models::load_embedding_model(*folder, pool);
    options.embedder = started.embedder.get();
    started.embedder_name = folder->filename().string();
  } else {
    options.no_embedder = started.no_embedder =
        "There is no model to compare meanings with. " + models::encoder_advice();
  }
  started.service = documents::make_document_service(options);
  started.socket = documents::open_control_socket(data_dir, *started.service);
  return started;
}

void run_process(const Config& config, const std::filesystem::path& config_file) {
  models::OpenedModel model =
      models::open_model(models::find_model(config.model, config::process_environment()));
  const auto store = open_store(config.data_dir);
  models::LoadOptions load = load_options(config);
  load.pool = inference::backend::make_compute_pool(models::choose_threads(config.threads));
  const Documents documents = start_documents(config.data_dir, load.pool);
  if (documents.embedder) load.side_work = documents.embedder->side_work();

  asio::io_context io(1);
  asio::thread_pool store_thread(1);
  asio::thread_pool workers(kWorkerThreads);
  asio::thread_pool searchers(kWorkerThreads);  // of their own: long embeddings must not keep chats waiting
  const auto slot = orchestration::turn::make_model_slot(model_info(model, config.context));
  const auto outputs =
      std::make_shared<orchestration::turn::StoredCallOutputs>(*store, store_thread);  // tools may outlive it
  const ToolsPlace place = find_tools_place(config);
  const auto host = start_tool_host(config, place.file, own_places(config, config_file), io.get_executor(),
                                    slot->info().tool_profile, outputs);
  ToolsOff no_tools(place.why_off, io.get_executor());
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
  parts.tools = host ? static_cast<orchestration::turn::ToolCatalogue*>(host.get()) : &no_tools;
  parts.desk = desk.get();
  parts.embeddings = {documents.embedder.get(), documents.embedder_name, documents.no_embedder, &searchers};
  parts.documents = [&documents](const inference::json::JsonObject& command) {
    return documents.service->answer(command);
  };
  parts.log = log_line;
  const auto server = server::make_server(io.get_executor(), server_options(config, host.get()), parts);
  asio::signal_set signals(io, SIGINT, SIGTERM);
  stop_on_signal(signals, *server, *hub, io, config.drain_time);
  std::cout << "listening on " << url(config, server->port()) << std::endl;
  std::cout.clear();  // a server serves on where nobody can read this line
  const auto read_ahead = [&hub] { hub->read_ahead(); };
  if (host) host->tell_changes(read_ahead);
  const auto when_ready = [&] {
    if (host) host->count_with(slot->token_counter());
    read_ahead();
  };
  loading = start_model_loading(std::move(model), load, {slot, io.get_executor(), workers, when_ready});

  std::exception_ptr failure;
  asio::co_spawn(io, run_until_stopped(*server, *hub, signals), [&](std::exception_ptr error) {
    failure = std::move(error);
    signals.cancel();
  });
  io.run();
  loading.reset();
  workers.join();
  searchers.join();
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
  run_process(read_config(options), options.text("config").value_or(""));
  return 0;
}

}  // namespace parley::app::cli
