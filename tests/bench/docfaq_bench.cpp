// Measures document search over DocFAQ: indexes the corpus that docfaq.py wrote with the store of the product
// and asks its questions of the product's retriever.
//
//   docfaq_bench DIR [--misses]     DIR: of docfaq.py. --misses: also the questions whose answer was not
//   among
//                                   the first ten passages, with what was first
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

#include "retrieval/index/document_store.h"
#include "retrieval/index/text_hash.h"
#include "retrieval/search/hybrid_retriever.h"

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

void measure(const std::filesystem::path& folder, const std::filesystem::path& data, bool print_misses) {
  std::string report;
  const auto store = index::open_document_store(data, report);
  auto begin = std::chrono::steady_clock::now();
  const Sections sections = index_pages(*store, folder / "documents.jsonl");
  std::printf("indexed %zu pages in %.1f s, %.1f MB on disk\n", sections.size(), seconds_since(begin),
              static_cast<double>(std::filesystem::file_size(data / "documents.db")) / 1e6);
  const auto retriever = search::make_hybrid_retriever(*store, {});
  Scores scores;
  std::vector<double> times, text_times;
  for (const Question& question : read_questions(folder / "questions.jsonl")) {
    search::SearchRequest request;
    request.question = question.text;
    request.limit = kRanks;
    begin = std::chrono::steady_clock::now();
    const search::SearchAnswer answer = retriever->search(request);
    times.push_back(seconds_since(begin) * 1000.0);
    text_times.push_back(answer.times.text_ms);
    scores.ranks.push_back(rank_of(answer, question, sections));
    if (print_misses && scores.ranks.back().value_or(kRanks) > 10) print_miss(question, answer);
  }
  print_times("a question, 50 passages read", times);
  print_times("its search for words", text_times);
  std::printf("full text alone: ");
  scores.print();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "docfaq_bench DIR [--misses]; make DIR by tests/bench/docfaq.py DIR\n");
    return 2;
  }
  std::string pattern = (std::filesystem::temp_directory_path() / "docfaq-XXXXXX").string();
  const std::filesystem::path data = ::mkdtemp(pattern.data());
  measure(argv[1], data, argc > 2 && std::string_view(argv[2]) == "--misses");
  std::filesystem::remove_all(data);
  return 0;
}
