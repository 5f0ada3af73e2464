#include "app/documents/document_service.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/documents/document_json.h"
#include "inference/json/fields.h"
#include "inference/json/nearest_name.h"
#include "retrieval/ingest/indexer.h"
#include "retrieval/ingest/passage_embedder.h"
#include "retrieval/search/hybrid_retriever.h"

namespace parley::app::documents {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::text_field;
namespace index = retrieval::index;
namespace ingest = retrieval::ingest;
namespace search = retrieval::search;

constexpr int kReaders = 1;  // beside it, this process cuts and commits
constexpr int kMaxPassages = 100;
constexpr int kMaxListedFiles = 1'000;

// What the request does wrong; becomes {"error": …}.
class RequestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::vector<std::string> texts_field(const JsonObject& request, std::string_view key) {
  std::vector<std::string> texts;
  const JsonArray* array = inference::json::array_field(request, key);
  if (array == nullptr) return texts;
  for (const auto& value : *array) {
    if (!value.is_string()) throw RequestError("\"" + std::string(key) + "\" is a list of texts.");
    texts.emplace_back(value.get_string());
  }
  return texts;
}

int count_field(const JsonObject& request, std::string_view key, int otherwise, int high) {
  if (!request.contains(key)) return otherwise;
  const auto value = inference::json::integer_field(request, key);
  if (!value || *value < 1 || *value > high) {
    throw RequestError("\"" + std::string(key) + "\" is a whole number from 1 to " + std::to_string(high) +
                       ".");
  }
  return static_cast<int>(*value);
}

class LocalDocumentService final : public DocumentService {
 public:
  explicit LocalDocumentService(const DocumentServiceOptions& options);
  JsonObject answer(const JsonObject& request) override;

 private:
  JsonObject add(const JsonObject& request);
  JsonObject list(const JsonObject& request);
  JsonObject remove(const JsonObject& request);
  JsonObject rescan(const JsonObject& request);
  JsonObject pause(const JsonObject& request);
  JsonObject resume(const JsonObject& request);
  JsonObject files(const JsonObject& request);
  JsonObject find(const JsonObject& request);
  ingest::CollectionStatus collection_of(const std::string& name);

  const std::string no_embedder_;  // why search goes by words alone; empty: it does not
  const std::unique_ptr<index::DocumentStore> store_;
  const std::unique_ptr<retrieval::chunking::TokenCounter> counter_;
  const std::unique_ptr<ingest::Indexer> indexer_;
  const std::unique_ptr<ingest::PassageEmbedder>
      passages_;  // null: nothing is embedded; writes by the indexer
  const std::unique_ptr<search::Retriever> retriever_;
};

std::unique_ptr<index::DocumentStore> open_store(const DocumentServiceOptions& options) {
  std::string report;
  auto store = index::open_document_store(options.data_dir, report);
  if (!report.empty() && options.log) options.log(report);
  return store;
}

// With an embedder passages are cut to what it takes.
ingest::ChunkSettings chunk_settings(const search::Embedder* embedder,
                                     const retrieval::chunking::TokenCounter& words) {
  ingest::ChunkSettings chunks;
  chunks.counter = embedder != nullptr ? &embedder->counter() : &words;
  if (embedder != nullptr) chunks.options.max_tokens = embedder->max_tokens();
  chunks.options.target_tokens = std::min(chunks.options.target_tokens, chunks.options.max_tokens);
  return chunks;
}

ingest::IndexerOptions indexer_options(const DocumentServiceOptions& options,
                                       const retrieval::chunking::TokenCounter& words) {
  ingest::IndexerOptions made;
  retrieval::documents::WorkerOptions worker;
  worker.program = options.worker_program;
  made.make_worker = [worker] { return retrieval::documents::make_document_worker(worker); };
  made.chunks = chunk_settings(options.embedder, words);
  made.num_readers = options.following == Following::off ? 0 : kReaders;
  made.watch = options.following == Following::on;
  made.private_folders = {std::filesystem::weakly_canonical(options.data_dir).string()};
  return made;
}

// A program that only asks embeds nothing but its question.
std::unique_ptr<ingest::PassageEmbedder> follow_passages(const DocumentServiceOptions& options,
                                                         index::DocumentStore& store,
                                                         ingest::Indexer& indexer) {
  if (options.embedder == nullptr || options.following == Following::off) return nullptr;
  const auto write = [&indexer](const std::function<void()>& work) { indexer.write(work); };
  return std::make_unique<ingest::PassageEmbedder>(store, *options.embedder, write);
}

LocalDocumentService::LocalDocumentService(const DocumentServiceOptions& options)
    : no_embedder_(options.embedder == nullptr ? options.no_embedder : ""),
      store_(open_store(options)),
      counter_(retrieval::chunking::make_word_counter()),
      indexer_(ingest::make_indexer(*store_, indexer_options(options, *counter_))),
      passages_(follow_passages(options, *store_, *indexer_)),
      retriever_(search::make_hybrid_retriever(*store_,
                                               {options.embedder, options.data_dir / "documents.vectors"})) {}

ingest::CollectionStatus LocalDocumentService::collection_of(const std::string& name) {
  if (name.empty()) throw RequestError("Name the collection (\"name\").");
  std::vector<std::string> known;
  for (auto& status : indexer_->status()) {
    if (status.collection.settings.name == name) return status;
    known.push_back(status.collection.settings.name);
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view near = inference::json::nearest_name(name, names);
  throw RequestError("There is no collection \"" + name + "\"" +
                     (near.empty() ? "." : "; did you mean \"" + std::string(near) + "\"?"));
}

JsonObject LocalDocumentService::add(const JsonObject& request) {
  index::CollectionSettings settings;
  const std::string folder = text_field(request, "folder");
  if (folder.empty()) throw RequestError("Name the folder (\"folder\").");
  std::error_code error;
  settings.root = std::filesystem::canonical(folder, error).string();
  if (error) settings.root = folder;
  settings.name = text_field(request, "name");
  if (settings.name.empty()) settings.name = std::filesystem::path(settings.root).filename().string();
  settings.include = texts_field(request, "include");
  settings.exclude = texts_field(request, "exclude");
  const index::Collection made = indexer_->add(settings);
  return {{"collection", to_json(collection_of(made.settings.name))}};
}

JsonObject LocalDocumentService::list(const JsonObject& request) {
  const std::string name = text_field(request, "name");
  JsonArray collections;
  if (!name.empty()) collections.push_back(to_json(collection_of(name)));
  if (name.empty()) {
    for (const auto& status : indexer_->status()) collections.push_back(to_json(status));
  }
  JsonObject answer{{"collections", std::move(collections)}};
  if (passages_) answer["vectors"] = to_json(passages_->progress());
  return answer;
}

JsonObject LocalDocumentService::remove(const JsonObject& request) {
  const auto status = collection_of(text_field(request, "name"));
  indexer_->remove(status.collection.id);
  return {{"removed", status.collection.settings.name}};
}

JsonObject LocalDocumentService::rescan(const JsonObject& request) {
  const auto status = collection_of(text_field(request, "name"));
  const bool meant = inference::json::is_true(request, "remove_missing");
  indexer_->rescan(status.collection.id,
                   meant ? ingest::Deletions::are_meant : ingest::Deletions::ask_when_many);
  return {{"collection", to_json(collection_of(status.collection.settings.name))}};
}

JsonObject LocalDocumentService::pause(const JsonObject& request) {
  const auto status = collection_of(text_field(request, "name"));
  indexer_->set_paused(status.collection.id, true);
  return {{"collection", to_json(collection_of(status.collection.settings.name))}};
}

JsonObject LocalDocumentService::resume(const JsonObject& request) {
  const auto status = collection_of(text_field(request, "name"));
  indexer_->set_paused(status.collection.id, false);
  return {{"collection", to_json(collection_of(status.collection.settings.name))}};
}

JsonObject LocalDocumentService::files(const JsonObject& request) {
  const auto status = collection_of(text_field(request, "name"));
  JsonArray files;
  for (const auto& file :
       store_->failed_files(status.collection.id, count_field(request, "limit", 100, kMaxListedFiles)))
    files.push_back(to_json(file));
  return {{"files", std::move(files)}};
}

JsonObject LocalDocumentService::find(const JsonObject& request) {
  search::SearchRequest what;
  what.question = text_field(request, "question");
  if (what.question.empty()) throw RequestError("Say what to look for (\"question\").");
  what.limit = count_field(request, "limit", 10, kMaxPassages);
  for (const auto& name : texts_field(request, "collections")) {
    what.collections.push_back(collection_of(name).collection.id);
  }
  search::SearchAnswer found = retriever_->search(what);
  if (!no_embedder_.empty()) found.note = no_embedder_;
  return to_json(found);
}

JsonObject LocalDocumentService::answer(const JsonObject& request) try {
  using Handler = JsonObject (LocalDocumentService::*)(const JsonObject&);
  static constexpr std::array<std::pair<std::string_view, Handler>, 8> kHandlers = {{
      {"add", &LocalDocumentService::add},
      {"list", &LocalDocumentService::list},
      {"remove", &LocalDocumentService::remove},
      {"rescan", &LocalDocumentService::rescan},
      {"pause", &LocalDocumentService::pause},
      {"resume", &LocalDocumentService::resume},
      {"files", &LocalDocumentService::files},
      {"search", &LocalDocumentService::find},
  }};
  const std::string command = text_field(request, "command");
  for (const auto& [name, handler] : kHandlers) {
    if (name == command) return (this->*handler)(request);
  }
  return {{"error", "There is no command \"" + command + "\"."}};
} catch (const std::exception& error) {  // bad requests, folders that cannot be read, a store that refuses
  return {{"error", error.what()}};
}

}  // namespace

std::unique_ptr<DocumentService> make_document_service(const DocumentServiceOptions& options) {
  return std::make_unique<LocalDocumentService>(options);
}

std::filesystem::path find_worker_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "parley-documents";
}

}  // namespace parley::app::documents
