#pragma once
// Collections and passages as JSON, for every way out. Pure functions, any thread.

#include "inference/json/json.h"
#include "retrieval/index/stored_document.h"
#include "retrieval/ingest/collection_status.h"
#include "retrieval/ingest/passage_embedder.h"
#include "retrieval/search/retriever.h"

namespace parley::app::documents {

inference::json::JsonObject to_json(const retrieval::ingest::CollectionStatus& status);
inference::json::JsonObject to_json(const retrieval::index::FileRecord& file);
inference::json::JsonObject to_json(const retrieval::ingest::EmbeddingProgress& progress);
inference::json::JsonObject to_json(const retrieval::search::SearchAnswer& answer);

// Where in its file a passage stands, for people: "page 3", "sheet Prices", "line 12".
std::string place_of(const retrieval::index::StoredPassage& passage);

}  // namespace parley::app::documents
