#include "app/cli/grammar_bench.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <boost/json.hpp>

#include "app/cli/grammar_samples.h"
#include "inference/grammar/schema_grammar.h"
#include "inference/grammar/token_constraint.h"
#include "inference/grammar/tool_call_grammar.h"

namespace parley::app::cli {
namespace {

namespace grammar = inference::grammar;
using grammar::TokenId;
using inference::tokenizer::Tokenizer;

constexpr int kNumWalks = 5;  // the best counts: the work is the same in each, the machine may be shared
constexpr int kNumCompilations = 20;
constexpr std::size_t kNumTools = 100;

// Processor time of this thread.
double now_microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

// What looking at the clock costs by itself.
double measure_clock() {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < 1000; ++i) {
    const double begin = now_microseconds();
    best = std::min(best, now_microseconds() - begin);
  }
  return best;
}

// By position of the document.
using Times = std::vector<double>;

void keep_best(Times& best, const Times& times) {
  if (best.empty()) best = times;
  for (std::size_t i = 0; i < times.size(); ++i) best[i] = std::min(best[i], times[i]);
}

double percentile(const Times& times, double share) {
  Times sorted = times;
  std::sort(sorted.begin(), sorted.end());
  return sorted.empty() ? 0
                        : sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

void add_percentiles(boost::json::object& row, const std::string& what, const Times& times) {
  row[what + "_p50_microseconds"] = percentile(times, 0.50);
  row[what + "_p99_microseconds"] = percentile(times, 0.99);
  row[what + "_max_microseconds"] = percentile(times, 1.0);
}

struct Walk {
  std::string name;
  std::shared_ptr<const grammar::Grammar> grammar;  // shared with the constraints of all walks
  std::vector<TokenId> tokens;
};

struct WalkTimes {
  Times mask, warm_mask, verify, warm_verify;

  void append(const WalkTimes& other) {
    const auto add = [](Times& to, const Times& from) { to.insert(to.end(), from.begin(), from.end()); };
    add(mask, other.mask);
    add(warm_mask, other.warm_mask);
    add(verify, other.verify);
    add(warm_verify, other.warm_verify);
  }
  void write(boost::json::object& row) const {
    row["tokens"] = mask.size();
    add_percentiles(row, "mask", mask);
    add_percentiles(row, "warm_mask", warm_mask);
    add_percentiles(row, "verify", verify);
    add_percentiles(row, "warm_verify", warm_verify);
  }
};

class GrammarBench {
 public:
  explicit GrammarBench(const Tokenizer& tokenizer)
      : tokenizer_(tokenizer),
        clock_microseconds_(measure_clock()),
        parameters_(sample_parameters(kNumTools)) {
    const double begin = now_microseconds();
    vocabulary_ = std::make_shared<const grammar::VocabularyIndex>(tokenizer);
    report_["vocabulary_tokens"] = tokenizer.vocab_size();
    report_["index_milliseconds"] = since(begin) * 1e-3;
    mask_.resize(vocabulary_->num_words());
  }

  boost::json::object run() {
    bench_compiling();  // first: what is cold stays so only once
    for (const GrammarSample& sample : grammar_samples())
      add_walk(sample.name, compile(sample), sample.document);
    add_walk("prose and a call", compile_tools(kNumTools), sample_call());
    WalkTimes all;
    boost::json::array rows;
    for (const Walk& walk : walks_) {
      const WalkTimes times = bench_walk(walk);
      boost::json::object row{{"schema", walk.name}};
      times.write(row);
      rows.push_back(std::move(row));
      all.append(times);
    }
    all.write(report_);
    report_["schemas"] = std::move(rows);
    report_["skipped_schemas"] = std::move(skipped_);
    return std::move(report_);
  }

 private:
  double since(double begin) const { return std::max(0.0, now_microseconds() - begin - clock_microseconds_); }

  static std::shared_ptr<const grammar::Grammar> compile(const GrammarSample& sample) {
    const auto schema = inference::json::parse_json(sample.schema, {.max_bytes = std::size_t{1} << 20});
    const auto made = grammar::compile_schema(std::get<inference::json::JsonValue>(schema));
    return std::get<grammar::SchemaGrammar>(made).grammar;
  }

  std::shared_ptr<const grammar::Grammar> compile_tools(std::size_t num_tools) const {
    std::vector<grammar::OfferedTool> tools;
    for (const auto& parameters : std::span(parameters_).first(num_tools)) {
      tools.push_back({"tool_" + std::to_string(tools.size()), &parameters});
    }
    const auto made = grammar::make_tool_call_grammar(tools, {}, *vocabulary_);
    return std::get<grammar::SchemaGrammar>(made).grammar;
  }

  void bench_compiling() {
    for (const std::size_t num_tools : {std::size_t{1}, kNumTools}) {
      const std::string key =
          "compile_" + std::to_string(num_tools) + (num_tools == 1 ? "_tool_" : "_tools_");
      double warm = std::numeric_limits<double>::max();
      for (int i = 0; i <= kNumCompilations; ++i) {
        const double begin = now_microseconds();
        const auto made = compile_tools(num_tools);
        const double time = since(begin) * 1e-3;
        if (i == 0) {
          report_[key + "cold_milliseconds"] = time;
        } else {
          warm = std::min(warm, time);
        }
      }
      report_[key + "warm_milliseconds"] = warm;
    }
  }

  void add_walk(const char* name, std::shared_ptr<const grammar::Grammar> made, std::string_view document) {
    const std::array trusted = {inference::tokenizer::TrustedRange{.begin = 0, .end = document.size()}};
    std::vector<TokenId> tokens = tokenizer_.encode(document, trusted);
    if (tokenizer_.decode(tokens, true) != document) {
      skipped_.emplace_back(name);
    } else {
      walks_.push_back({name, std::move(made), std::move(tokens)});
    }
  }

  WalkTimes bench_walk(const Walk& walk) {
    WalkTimes times;
    for (int i = 0; i < kNumWalks; ++i) {
      const auto unread = grammar::make_constraint(walk.grammar, vocabulary_);
      keep_best(times.mask, time_masks(walk, *unread->clone()));
      keep_best(times.warm_mask, time_masks(walk, *unread->clone()));
      const auto unchecked = grammar::make_constraint(walk.grammar, vocabulary_);
      keep_best(times.verify, time_checks(walk, *unchecked->clone()));
      keep_best(times.warm_verify, time_checks(walk, *unchecked->clone()));
    }
    return times;
  }

  Times time_masks(const Walk& walk, grammar::TokenConstraint& constraint) {
    Times times;
    for (const TokenId token : walk.tokens) {
      const double begin = now_microseconds();
      constraint.fill_mask(mask_);
      times.push_back(since(begin));
      if (!grammar::has_bit(mask_, token)) throw std::logic_error(walk.name + " does not fit its schema");
      constraint.accept(token);
    }
    return times;
  }

  Times time_checks(const Walk& walk, grammar::TokenConstraint& constraint) const {
    Times times;
    for (const TokenId token : walk.tokens) {
      const double begin = now_microseconds();
      const bool is_allowed = constraint.allows(token);
      times.push_back(since(begin));
      if (!is_allowed) throw std::logic_error(walk.name + " does not fit its schema");
      constraint.accept(token);
    }
    return times;
  }

  const Tokenizer& tokenizer_;
  double clock_microseconds_;
  std::vector<inference::json::JsonValue> parameters_;
  std::shared_ptr<const grammar::VocabularyIndex> vocabulary_;  // shared with the constraints
  grammar::MaskWords mask_;
  std::vector<Walk> walks_;
  boost::json::array skipped_;
  boost::json::object report_;
};

}  // namespace

boost::json::object bench_grammar(const Tokenizer& tokenizer) { return GrammarBench(tokenizer).run(); }

}  // namespace parley::app::cli
