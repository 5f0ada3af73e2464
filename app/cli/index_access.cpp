#include <csignal>
#include <ctime>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "app/cli/index_commands.h"
#include "app/cli/index_progress.h"
#include "app/config/load_config.h"
#include "app/documents/control_socket.h"
#include "app/models/catalogue.h"
#include "app/models/start_engine.h"
#include "inference/json/fields.h"

namespace parley::app::cli {
namespace {

using inference::json::JsonObject;

constexpr long kPollNanoseconds = 200'000'000;

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

// Waits a moment; true: a signal came.
bool was_signalled() {
  const sigset_t signals = ending_signals();
  const timespec moment{0, kPollNanoseconds};
  return ::sigtimedwait(&signals, nullptr, &moment) > 0;
}

bool are_settled(const JsonObject& vectors) {
  return inference::json::is_true(vectors, "complete") || vectors.contains("failure");
}

// For as long as no server's engine is there to share threads with.
std::unique_ptr<models::EmbeddingModel> open_embedder(documents::DocumentServiceOptions& options) {
  const auto environment = config::process_environment();
  const auto folder = models::find_encoder(environment);
  if (!folder) {
    options.no_embedder = "There is no model to compare meanings with. " + models::encoder_advice();
    return nullptr;
  }
  auto model =
      models::load_embedding_model(*folder, inference::backend::make_compute_pool(models::choose_threads(0)));
  options.embedder = model.get();
  return model;
}

}  // namespace

IndexAccess::IndexAccess(std::filesystem::path data_dir, Use use) : data_dir_(std::move(data_dir)) {
  if (documents::ask_server(data_dir_, {{"command", "list"}})) return;
  lock_.emplace(data_dir_);
  documents::DocumentServiceOptions options;
  options.data_dir = data_dir_;
  options.worker_program = documents::find_worker_program();
  options.following = use == Use::index ? documents::Following::once : documents::Following::off;
  options.log = [](const std::string& line) { std::cerr << line << "\n"; };
  if (use != Use::look) embedder_ = open_embedder(options);
  service_ = documents::make_document_service(options);
  if (use == Use::index) socket_ = documents::open_control_socket(data_dir_, *service_);
}

JsonObject IndexAccess::ask(const JsonObject& request) {
  JsonObject answer;
  if (service_) {
    answer = service_->answer(request);
  } else {
    auto served = documents::ask_server(data_dir_, request);
    if (!served) throw std::runtime_error("the server has ended meanwhile; run the command again");
    answer = std::move(*served);
  }
  if (const auto error = inference::json::text_field(answer, "error"); !error.empty())
    throw std::runtime_error(error);
  return answer;
}

void hold_signals() {
  const sigset_t signals = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

bool wait_for_collection(IndexAccess& index, const std::string& name) {
  IndexProgress progress;
  for (;;) {
    const JsonObject answer = index.ask({{"command", "list"}, {"name", name}});
    const JsonObject& collection = answer.at("collections").as_array().at(0).as_object();
    const auto activity = inference::json::text_view(collection, "activity");
    const bool is_read = activity == "idle" || activity == "standing";
    const JsonObject* vectors = inference::json::object_field(answer, "vectors");
    if (is_read && (vectors == nullptr || are_settled(*vectors))) return true;
    if (is_read) {
      progress.show_vectors(*vectors);
    } else {
      progress.show(collection);
    }
    if (was_signalled()) return false;
  }
}

}  // namespace parley::app::cli
