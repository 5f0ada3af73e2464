// Measures document search over DocFAQ: indexes the corpus that docfaq.py wrote with the store of the product
// and asks its questions of the product's retriever.
//
//   docfaq_bench DIR [--misses] [--encoder FOLDER]
//
// DIR: of docfaq.py. --misses: also the questions whose answer was not among the first ten passages, with
// what was first. --encoder: also by meaning, with the model of that folder, alone and fused with the words.
//
// A question's rank is that of the first passage of the section that answers it, among the first 50.
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/models/embedding_model.h"
#include "inference/backend/backend.h"
#include "retrieval/index/document_store.h"
#include "retrieval/index/text_hash.h"
#include "retrieval/search/hybrid_retriever.h"
#include "retrieval/search/vector_follower.h"

namespace {

namespace index = parley::retrieval::index;
namespace search = parley::retrieval::search;

constexpr int kRanks = 50;

// Of each passage by its file's path and place in it.
using Sections = std::map<std::string, std::vector<std::int64_t>>;

struct Question {
  std::string text;
  std::int64_t section = 0;
};

std::string text_of(simdjson::dom::element value) { return std::string(std::string_view(value)); }

index::FileCommit commit_of(simdjson::dom::element page, std::vector<std::int64_t>& sections) {
  index::FileCommit commit;
  commit.document.text = text_of(page["text"]);
  commit.document.title = text_of(page["title"]);
  commit.document.media_type = "text/plain";
  for (const simdjson::dom::element passage : page["passages"].get_array()) {
    parley::retrieval::chunking::Chunk chunk;
    chunk.range = {passage["begin"].get_uint64(), passage["end"].get_uint64()};
    chunk.text = commit.document.text.substr(chunk.range.begin, chunk.range.end - chunk.range.begin);
    for (const simdjson::dom::element heading : passage["headings"].get_array())
      chunk.heading_path.push_back(text_of(heading));
    sections.push_back(passage["section"].get_int64());
    commit.chunks.push_back(std::move(chunk));
  }
  return commit;
}

Sections index_pages(index::DocumentStore& store, const std::filesystem::path& file) {
  Sections sections;
  const index::CollectionId docs =
      store.add_collection({.name = "docfaq", .root = "/", .include = {}, .exclude = {}}).id;
  simdjson::dom::parser parser;
  simdjson::dom::document_stream pages;
  if (parser.load_many(file.string(), std::size_t{64} << 20).get(pages) != simdjson::SUCCESS) return sections;
  for (const simdjson::dom::element page : pages) {
    const std::string path = text_of(page["path"]);
    const std::vector<index::FileToRead> to_read = {{path, {}}};
    store.queue_files(docs, to_read);
    index::FileCommit commit = commit_of(page, sections[path]);
    commit.file = store.find_file(docs, path)->id;
    store.commit_file(commit);
  }
  return sections;
}

std::vector<Question> read_questions(const std::filesystem::path& file) {
  std::vector<Question> questions;
  simdjson::dom::parser parser;
  simdjson::dom::document_stream lines;
  if (parser.load_many(file.string(), std::size_t{1} << 20).get(lines) != simdjson::SUCCESS) return questions;
  for (const simdjson::dom::element line : lines)
    questions.push_back({text_of(line["question"]), line["section"].get_int64()});
  return questions;
}

struct Scores {
  std::vector<std::optional<int>> ranks;  // from 1

  double recall(int at) const {
    const auto hit = [at](const std::optional<int>& rank) { return rank && *rank <= at; };
    return static_cast<double>(std::count_if(ranks.begin(), ranks.end(), hit)) /
           static_cast<double>(ranks.size());
  }
  template <typename Gain>
  double mean_at_10(Gain gain) const {
    double sum = 0.0;
    for (const std::optional<int>& rank : ranks)
      if (rank && *rank <= 10) sum += gain(*rank);
    return sum / static_cast<double>(ranks.size());
  }
  void print() const {
    const double ndcg = mean_at_10([](int rank) { return 1.0 / std::log2(rank + 1.0); });
    const double mrr = mean_at_10([](int rank) { return 1.0 / rank; });
    std::printf("R@1 %.3f  R@5 %.3f  R@10 %.3f  R@50 %.3f  nDCG@10 %.3f  MRR@10 %.3f  (%zu questions)\n",
                recall(1), recall(5), recall(10), recall(50), ndcg, mrr, ranks.size());
  }
};

std::optional<int> rank_of(const search::SearchAnswer& answer, const Question& question,
                           const Sections& sections) {
  for (std::size_t i = 0; i < answer.passages.size(); ++i) {
    const index::StoredPassage& passage = answer.passages[i].passage;
    if (sections.at(passage.path).at(static_cast<std::size_t>(passage.ordinal)) == question.section)
      return static_cast<int>(i) + 1;
  }
  return std::nullopt;
}

void print_miss(const Question& question, const search::SearchAnswer& answer) {
  std::printf("%s\n", question.text.c_str());
  for (std::size_t i = 0; i < std::min<std::size_t>(3, answer.passages.size()); ++i) {
    const index::StoredPassage& passage = answer.passages[i].passage;
    std::printf("    %s: %s\n", passage.path.c_str(),
                passage.heading_path.empty() ? "" : passage.heading_path.back().c_str());
  }
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void print_times(const char* what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("%s: p50 %.1f ms, p99 %.1f ms\n", what, times.at(times.size() / 2),
              times.at(times.size() * 99 / 100));
}

struct Arguments {
  std::filesystem::path folder;
  std::filesystem::path encoder;  // empty: none
  bool misses = false;
};

void embed_passages(index::DocumentStore& store, search::Embedder& embedder) {
  const auto begin = std::chrono::steady_clock::now();
  std::size_t count = 0;
  index::PassageChanges changes;
  do {
    changes = store.changes_since(changes.mark, 256);
    std::vector<index::PassageId> ids;
    for (const auto& key : changes.added) ids.push_back(key.id);
    std::vector<std::string> texts;
    std::vector<index::TextHash> hashes;
    for (const auto& passage : store.passages(ids)) {
      texts.push_back(passage.text);
      hashes.push_back(passage.text_hash);
    }
    const auto rows = embedder.embed(texts, search::TextRole::passage).rows;
    std::vector<std::vector<float>> vectors;
    for (auto row = rows.begin(); row != rows.end(); row += embedder.dim())
      vectors.emplace_back(row, row + embedder.dim());
    store.cache_vectors(std::string(embedder.fingerprint()), hashes, vectors);
    count += texts.size();
  } while (changes.more);
  std::printf("embedded %zu passages, %.1f a second\n", count,
              static_cast<double>(count) / seconds_since(begin));
}

// The ranks of all questions, by whatever way of searching.
template <typename Search>
void measure_search(const char* name, const std::vector<Question>& questions, const Sections& sections,
                    bool misses, Search ask) {
  Scores scores;
  std::vector<double> times;
  for (const Question& question : questions) {
    const auto begin = std::chrono::steady_clock::now();
    const search::SearchAnswer answer = ask(question.text);
    times.push_back(seconds_since(begin) * 1000.0);
    scores.ranks.push_back(rank_of(answer, question, sections));
    if (misses && scores.ranks.back().value_or(kRanks) > 10) print_miss(question, answer);
  }
  std::printf("%s: ", name);
  scores.print();
  print_times("    a question, 50 passages read", times);
}

search::SearchRequest request_of(const std::string& question) {
  search::SearchRequest request;
  request.question = question;
  request.limit = kRanks;
  return request;
}

void measure_meaning(index::DocumentStore& store, const Arguments& arguments,
                     const std::vector<Question>& questions, const Sections& sections) {
  const auto model = parley::app::models::load_embedding_model(
      arguments.encoder, parley::inference::backend::make_compute_pool(2));
  embed_passages(store, *model);
  search::FollowedModel followed;
  followed.fingerprint = model->fingerprint();
  followed.dim = model->dim();
  search::VectorFollower vectors(store, std::move(followed));
  vectors.refresh();
  measure_search("vectors alone", questions, sections, false, [&](const std::string& question) {
    const auto row = model->embed(std::vector<std::string>{question}, search::TextRole::query).rows;
    std::vector<index::PassageId> ids;
    for (const auto& hit : vectors.search(row, {}, kRanks)) ids.push_back(hit.id);
    search::SearchAnswer answer;
    for (auto& passage : store.passages(ids)) answer.passages.push_back({std::move(passage), 0, {}});
    return answer;
  });
  const auto retriever = search::make_hybrid_retriever(store, {model.get(), {}});
  measure_search("both, fused", questions, sections, arguments.misses,
                 [&](const std::string& question) { return retriever->search(request_of(question)); });
}

void measure(const Arguments& arguments, const std::filesystem::path& data) {
  std::string report;
  const auto store = index::open_document_store(data, report);
  const auto begin = std::chrono::steady_clock::now();
  const Sections sections = index_pages(*store, arguments.folder / "documents.jsonl");
  std::printf("indexed %zu pages in %.1f s, %.1f MB on disk\n", sections.size(), seconds_since(begin),
              static_cast<double>(std::filesystem::file_size(data / "documents.db")) / 1e6);
  const std::vector<Question> questions = read_questions(arguments.folder / "questions.jsonl");
  const auto retriever = search::make_hybrid_retriever(*store, {});
  measure_search("full text alone", questions, sections, arguments.misses,
                 [&](const std::string& question) { return retriever->search(request_of(question)); });
  if (!arguments.encoder.empty()) measure_meaning(*store, arguments, questions, sections);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--misses") {
      arguments.misses = true;
    } else if (word == "--encoder" && i + 1 < argc) {
      arguments.encoder = argv[++i];
    } else {
      arguments.folder = word;
    }
  }
  if (arguments.folder.empty()) {
    std::fprintf(stderr,
                 "docfaq_bench DIR [--misses] [--encoder FOLDER]; make DIR by tests/bench/docfaq.py DIR\n");
    return 2;
  }
  std::string pattern = (std::filesystem::temp_directory_path() / "docfaq-XXXXXX").string();
  const std::filesystem::path data = ::mkdtemp(pattern.data());
  measure(arguments, data);
  std::filesystem::remove_all(data);
  return 0;
}
