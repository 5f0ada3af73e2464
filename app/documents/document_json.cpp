#include "app/documents/document_json.h"

#include <string_view>

namespace parley::app::documents {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
namespace index = retrieval::index;
namespace ingest = retrieval::ingest;
namespace search = retrieval::search;

std::string_view name_of(ingest::Activity activity) {
  switch (activity) {
    case ingest::Activity::idle:
      return "idle";
    case ingest::Activity::walking:
      return "walking";
    case ingest::Activity::reading:
      return "reading";
    case ingest::Activity::standing:
      return "standing";
  }
  return "";
}

std::string_view name_of(index::CollectionState state) {
  switch (state) {
    case index::CollectionState::active:
      return "active";
    case index::CollectionState::paused:
      return "paused";
    case index::CollectionState::unavailable:
      return "unavailable";
    case index::CollectionState::asks_deletion:
      return "asks_deletion";
  }
  return "";
}

std::string_view name_of(index::FileState state) {
  switch (state) {
    case index::FileState::queued:
      return "queued";
    case index::FileState::ready:
      return "ready";
    case index::FileState::skipped:
      return "skipped";
    case index::FileState::failed:
      return "failed";
  }
  return "";
}

JsonObject counts_json(const index::CollectionCounts& counts) {
  return {{"files", counts.files},     {"queued", counts.queued}, {"ready", counts.ready},
          {"skipped", counts.skipped}, {"failed", counts.failed}, {"passages", counts.passages},
          {"bytes", counts.bytes}};
}

JsonArray texts_json(const std::vector<std::string>& texts) {
  JsonArray array;
  for (const auto& text : texts) array.emplace_back(text);
  return array;
}

void put_score(JsonObject& object, std::string_view name, const std::optional<double>& score) {
  if (score) object[name] = *score;
}

JsonObject passage_json(const search::FoundPassage& found) {
  const index::StoredPassage& passage = found.passage;
  JsonObject object{{"id", passage.id},       {"collection", passage.collection_name},
                    {"source", passage.path}, {"place", place_of(passage)},
                    {"title", passage.title}, {"headings", texts_json(passage.heading_path)},
                    {"score", found.score},   {"text", passage.text}};
  object["line"] = passage.line;
  if (passage.page > 0) object["page"] = passage.page;
  object["range"] = JsonArray{passage.range.begin, passage.range.end};
  JsonObject parts;
  put_score(parts, "text", found.parts.text);
  put_score(parts, "vector", found.parts.vector);
  put_score(parts, "rerank", found.parts.rerank);
  object["scores"] = std::move(parts);
  return object;
}

}  // namespace

std::string place_of(const index::StoredPassage& passage) {
  if (!passage.page_name.empty()) return passage.page_name;
  if (passage.page > 0) return "page " + std::to_string(passage.page);
  return "line " + std::to_string(passage.line);
}

JsonObject to_json(const ingest::CollectionStatus& status) {
  const index::CollectionSettings& settings = status.collection.settings;
  JsonObject object{{"name", settings.name},
                    {"folder", settings.root},
                    {"include", texts_json(settings.include)},
                    {"exclude", texts_json(settings.exclude)},
                    {"state", name_of(status.collection.state)},
                    {"activity", name_of(status.activity)},
                    {"counts", counts_json(status.counts)},
                    {"files_seen", status.files_seen},
                    {"reading", texts_json(status.in_hand)},
                    {"files_per_second", status.files_per_second},
                    {"seconds_left", status.seconds_left}};
  JsonObject passed_over;
  for (const auto& [reason, count] : status.passed_over) passed_over[reason] = count;
  object["passed_over"] = std::move(passed_over);
  const std::string& reason = status.failure.empty() ? status.collection.reason : status.failure;
  if (!reason.empty()) object["reason"] = reason;
  if (!status.limitation.empty()) object["limitation"] = status.limitation;
  return object;
}

JsonObject to_json(const index::FileRecord& file) {
  JsonObject object{{"file", file.path}, {"state", name_of(file.state)}, {"reason", file.reason}};
  if (file.retry_at_ms > 0) object["retry_at_ms"] = file.retry_at_ms;
  return object;
}

JsonObject to_json(const ingest::EmbeddingProgress& progress) {
  JsonObject object{
      {"done", progress.done}, {"complete", progress.is_caught_up}, {"per_second", progress.per_second}};
  if (!progress.failure.empty()) object["failure"] = progress.failure;
  return object;
}

JsonObject to_json(const search::SearchAnswer& answer) {
  JsonArray passages;
  for (const auto& found : answer.passages) passages.push_back(passage_json(found));
  const search::SearchTimes& times = answer.times;
  JsonObject object{{"passages", std::move(passages)}};
  if (!answer.note.empty()) object["note"] = answer.note;
  object["times_ms"] =
      JsonObject{{"analyse", times.analyse_ms}, {"text", times.text_ms}, {"embed", times.embed_ms},
                 {"vector", times.vector_ms},   {"fuse", times.fuse_ms}, {"rerank", times.rerank_ms}};
  return object;
}

}  // namespace parley::app::documents
