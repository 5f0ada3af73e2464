#pragma once
// Document search of one data folder: store, indexer and retriever, and the commands on them as JSON objects.
// The command line and other programs speak these (docs/documents.md), directly or through the control socket
// of a server that runs.
//
// The caller holds the data folder's lock. Any thread; commands block, but for a moment only: a folder that
// is added is indexed in the background, `list` tells how far it is.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "inference/json/json.h"
#include "retrieval/search/embedder.h"

namespace parley::app::documents {

enum class Following {
  on,    // of all folders, until the end
  once,  // what commands ask for is read, then no more
  off,   // nothing is read
};

struct DocumentServiceOptions {
  std::filesystem::path data_dir;
  std::filesystem::path worker_program;  // parley-documents
  Following following = Following::on;
  // Turns texts into vectors; outlives the service. Null: search goes by words alone, for the reason in
  // `no_embedder`.
  retrieval::search::Embedder* embedder = nullptr;
  std::string no_embedder;
  std::function<void(const std::string&)> log;  // lines for the operator; empty: none
};

class DocumentService {
 public:
  virtual ~DocumentService() = default;
  // {"command": …} to its answer, or to {"error": "a sentence"}. Never throws.
  virtual inference::json::JsonObject answer(const inference::json::JsonObject& request) = 0;
};

// Throws storage::sqlite::StoreError when the database cannot be opened.
std::unique_ptr<DocumentService> make_document_service(const DocumentServiceOptions& options);

// Beside this program's own file.
std::filesystem::path find_worker_program();

}  // namespace parley::app::documents
