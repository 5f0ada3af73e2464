#pragma once
// The HTTP routes over documents and their model. Handlers live on the I/O thread and wait on `workers` for
// what blocks; what they are given outlives them. Bad requests get an error.

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/thread_pool.hpp>

#include "app/http/exchange.h"
#include "inference/json/json.h"
#include "retrieval/search/embedder.h"

namespace parley::app::api {

struct EmbeddingRoute {
  retrieval::search::Embedder* embedder = nullptr;  // null: there is none, for the reason in `missing`
  std::string name;                                 // of the model
  std::string missing;
  boost::asio::thread_pool* workers = nullptr;
};

// POST /v1/embeddings, in OpenAI's shape.
std::unique_ptr<http::Handler> make_embeddings(EmbeddingRoute route);

// From a command of app/documents to its answer; blocks, never throws.
using DocumentCommands = std::function<inference::json::JsonObject(const inference::json::JsonObject&)>;

// POST /api/search: {"query", "collections", "limit"} to passages (docs/documents.md).
std::unique_ptr<http::Handler> make_document_search(DocumentCommands commands,
                                                    boost::asio::thread_pool& workers);

}  // namespace parley::app::api
