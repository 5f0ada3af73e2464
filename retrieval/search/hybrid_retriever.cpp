#include "retrieval/search/hybrid_retriever.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>

#include "retrieval/search/fusion.h"
#include "retrieval/search/question.h"
#include "retrieval/search/vector_follower.h"

namespace parley::retrieval::search {
namespace {

constexpr int kFusedPassages = 100;  // of each list

class StopWatch {
 public:
  // Milliseconds since it was made, or since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> passed = now - begin_;
    begin_ = now;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

class HybridRetriever : public Retriever {
 public:
  HybridRetriever(index::DocumentStore& store, const HybridOptions& options)
      : store_(store), embedder_(options.embedder) {
    if (embedder_ == nullptr) return;
    FollowedModel model;
    model.fingerprint = embedder_->fingerprint();
    model.dim = embedder_->dim();
    model.file = options.vector_file;
    vectors_ = std::make_unique<VectorFollower>(store, std::move(model));
  }

  SearchAnswer search(const SearchRequest& request) override;

 private:
  using Ranking = std::vector<index::ScoredPassage>;

  Ranking by_text(const AnalysedQuestion& question, const SearchRequest& request) const;
  Ranking by_vector(const SearchRequest& request, SearchAnswer& answer, StopWatch& watch);
  std::vector<FoundPassage> read(std::span<const FusedPassage> fused, const SearchRequest& request) const;

  index::DocumentStore& store_;
  Embedder* embedder_;
  std::unique_ptr<VectorFollower> vectors_;  // null without an embedder
};

int depth_of(const SearchRequest& request) { return std::max(kFusedPassages, 2 * request.limit); }

// Phrases that no passage has must not hide those that have their words.
HybridRetriever::Ranking HybridRetriever::by_text(const AnalysedQuestion& question,
                                                  const SearchRequest& request) const {
  Ranking found = store_.match_text(question.query, request.collections, depth_of(request));
  if (found.empty() && !question.query.phrases.empty())
    found = store_.match_text(question.without_phrases, request.collections, depth_of(request));
  return found;
}

HybridRetriever::Ranking HybridRetriever::by_vector(const SearchRequest& request, SearchAnswer& answer,
                                                    StopWatch& watch) {
  if (vectors_ == nullptr) {
    answer.note = "There is no embedding model: only words are compared.";
    return {};
  }
  const std::vector<std::string> texts = {request.question};
  const EmbeddedTexts embedded = embedder_->embed(texts, TextRole::query);
  answer.times.embed_ms = watch.lap();
  vectors_->refresh();
  if (const std::size_t missing = vectors_->num_missing(); missing > 0) {
    answer.note = std::to_string(missing) + (missing == 1 ? " passage is" : " passages are") +
                  " not embedded yet: of those only words are compared.";
  }
  Ranking found = vectors_->search(embedded.rows, request.collections, depth_of(request));
  answer.times.vector_ms = watch.lap();
  return found;
}

// From the best on, until there are as many as wanted that differ.
std::vector<FoundPassage> HybridRetriever::read(std::span<const FusedPassage> fused,
                                                const SearchRequest& request) const {
  std::vector<FoundPassage> found;
  const std::size_t step = static_cast<std::size_t>(request.limit) + 10;
  for (std::size_t begin = 0; begin < fused.size(); begin += step) {
    std::unordered_map<index::PassageId, const FusedPassage*> wanted;
    std::vector<index::PassageId> ids;
    for (const FusedPassage& passage : fused.subspan(begin, std::min(step, fused.size() - begin))) {
      wanted[passage.id] = &passage;
      ids.push_back(passage.id);
    }
    for (index::StoredPassage& passage : store_.passages(ids)) {
      const bool in_scope =
          request.collections.empty() || std::find(request.collections.begin(), request.collections.end(),
                                                   passage.collection) != request.collections.end();
      const FusedPassage& place = *wanted[passage.id];
      if (in_scope) found.push_back({std::move(passage), place.score, place.parts});
    }
    found = pick_distinct(std::move(found), request.limit, request.max_per_file);
    if (static_cast<int>(found.size()) >= request.limit) break;
  }
  return found;
}

SearchAnswer HybridRetriever::search(const SearchRequest& request) {
  SearchAnswer answer;
  if (request.limit <= 0) return answer;
  StopWatch watch;
  const AnalysedQuestion question = analyse_question(request.question);
  answer.times.analyse_ms = watch.lap();
  const Ranking text = by_text(question, request);
  answer.times.text_ms = watch.lap();
  const Ranking vectors = by_vector(request, answer, watch);
  const std::vector<FusedPassage> fused = fuse(text, vectors, question.text_weight);
  answer.passages = read(fused, request);
  answer.times.fuse_ms = watch.lap();
  return answer;
}

}  // namespace

std::unique_ptr<Retriever> make_hybrid_retriever(index::DocumentStore& store, const HybridOptions& options) {
  return std::make_unique<HybridRetriever>(store, options);
}

}  // namespace parley::retrieval::search
