#pragma once
// What the subcommands of `parley index` share: where they send their requests, and how they wait. Main
// thread.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/command.h"
#include "app/documents/control_socket.h"
#include "app/documents/document_service.h"
#include "app/models/embedding_model.h"
#include "inference/json/json.h"
#include "storage/sqlite/folder_lock.h"

namespace parley::app::cli {

int run_index_add(const Arguments& arguments);
int run_index_list(const Arguments& arguments);
int run_index_status(const Arguments& arguments);
int run_index_remove(const Arguments& arguments);
int run_index_rescan(const Arguments& arguments);
int run_index_pause(const Arguments& arguments);
int run_index_resume(const Arguments& arguments);
int run_index_search(const Arguments& arguments);

// The server that runs on a data folder, or, where none does, the folder itself for as long as this lives:
// never two that write.
class IndexAccess {
 public:
  // What is to be made ready where no server runs.
  enum class Use {
    look,    // nothing is read or compared
    search,  // a question is compared with what is there
    index,   // files are read and embedded
  };
  IndexAccess(std::filesystem::path data_dir, Use use);
  // Throws std::runtime_error with the answer's "error".
  inference::json::JsonObject ask(const inference::json::JsonObject& request);
  // Whether a server goes on by itself.
  bool is_served() const { return !service_; }

 private:
  const std::filesystem::path data_dir_;
  std::optional<storage::sqlite::FolderLock> lock_;
  std::unique_ptr<models::EmbeddingModel> embedder_;     // null: none on this machine, or a server runs
  std::unique_ptr<documents::DocumentService> service_;  // null: a server runs
  std::unique_ptr<documents::ControlSocket> socket_;     // for others, while this indexes; ends first
};

// SIGINT and SIGTERM wait from here on until somebody asks; to be called before threads begin.
void hold_signals();

// Until the collection is as its folder is, with a line of progress on a terminal. False: a signal came.
bool wait_for_collection(IndexAccess& index, const std::string& name);

// Says how a collection is in one line, and in further ones what keeps it from being complete.
std::string collection_text(const inference::json::JsonObject& collection);

}  // namespace parley::app::cli
