// What constraints cost over a vocabulary of 150,000 tokens: a mask (goal: p50 at most 20 us, p99 at most 200
// us), the check of one token, compiling the schemas of 100 tools (goal: at most 5 ms). Fetch the vocabulary
// first (tests/bench/fetch_vocabulary.py), then run by hand from the source folder:
// build/release/tests/bench/grammar_bench

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "inference/grammar/schema_grammar.h"
#include "inference/grammar/token_constraint.h"
#include "inference/json/json.h"
#include "tests/inference/grammar/real_vocabulary.h"

namespace parley::inference::grammar {
namespace {

// Processor time of this thread: other programs do not disturb it.
double thread_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

struct Sample {
  const char* schema;
  const char* text;
};

constexpr Sample kSamples[] = {
    {R"({"type":"object","properties":{"city":{"type":"string"},"unit":{"enum":["celsius","fahrenheit"]},
         "days":{"type":"integer","minimum":1,"maximum":14}},"required":["city"],"additionalProperties":false})",
     R"({"city": "São Paulo", "unit": "celsius", "days": 7})"},
    {R"({"type":"object","properties":{"path":{"type":"string","maxLength":200},"content":{"type":"string"},
         "mode":{"type":"string","pattern":"^[0-7]{3,4}$"}},"required":["path","content"]})",
     R"({"path": "src/main/java/com/example/App.java", "content": "public class App {\n  public static void main(String[] args) {\n    System.out.println(\"Hello, world!\");\n  }\n}\n", "mode": "0644"})"},
    {R"({"type":"object","properties":{"people":{"type":"array","items":{"type":"object","properties":{
         "name":{"type":"string","minLength":1},"email":{"type":"string","format":"email"},"born":{"type":"string",
         "format":"date"},"tags":{"type":"array","items":{"type":"string"}},"score":{"type":"number","minimum":0,
         "maximum":100},"active":{"type":["boolean","null"]}},"required":["name","email"],
         "additionalProperties":false}}},"required":["people"]})",
     R"({"people": [{"name": "Ada Lovelace", "email": "ada@example.org", "born": "1815-12-10", "tags": ["mathematics", "poetry"], "score": 99.5, "active": null}, {"email": "alan.turing@example.org", "name": "Alan Turing", "tags": [], "active": true}, {"name": "Grace Hopper", "email": "grace@example.org", "score": 97}]})"},
    {"true",
     R"({"a": {"b": [1, 2.5e3, {"c": "text with \u00e9scapes and \"quotes\""}], "d": [[[], {}], "x"]}, "e": false})"},
};

struct Model {
  std::unique_ptr<tokenizer::Tokenizer> tokenizer = load_real_vocabulary();
  std::shared_ptr<const VocabularyIndex> index =
      tokenizer ? std::make_shared<VocabularyIndex>(*tokenizer) : nullptr;
};

const Model& model() {
  static const Model model;
  return model;
}

bool is_ready(benchmark::State& state) {
  if (!model().index) state.SkipWithError("run tests/bench/fetch_vocabulary.py first");
  return model().index != nullptr;
}

json::JsonValue parse(std::string_view text) {
  return std::get<json::JsonValue>(json::parse_json(text, {.max_bytes = 1 << 20}));
}

std::shared_ptr<const Grammar> compile(std::string_view schema, const SchemaOptions& options = {}) {
  return std::get<SchemaGrammar>(compile_schema(parse(schema), options)).grammar;
}

double percentile(std::vector<double>& values, double share) {
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

// A mask for every token of the sample, each request with a grammar machine that has seen nothing.
void BM_Mask(benchmark::State& state) {
  if (!is_ready(state)) return;
  const Sample& sample = kSamples[state.range(0)];
  const auto grammar = compile(sample.schema);
  const auto tokens = model().tokenizer->encode(sample.text);
  MaskWords mask(model().index->num_words());
  std::vector<double> times;
  for (auto _ : state) {
    auto constraint = make_constraint(grammar, model().index);
    for (const auto token : tokens) {
      const double begin = thread_microseconds();
      constraint->fill_mask(mask);
      times.push_back(thread_microseconds() - begin);
      std::printf("%8.1f %s\n", times.back(), std::string(model().tokenizer->token_bytes(token)).c_str());
      if (!constraint->allows(token)) return state.SkipWithError("the sample is not valid");
      constraint->accept(token);
    }
  }
  state.counters["tokens"] = static_cast<double>(tokens.size());
  state.counters["p50_us"] = percentile(times, 0.50);
  state.counters["p99_us"] = percentile(times, 0.99);
  state.counters["max_us"] = percentile(times, 1.0);
}
BENCHMARK(BM_Mask)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

// Checking and accepting all tokens of a sample, which is what a draw that is allowed costs.
void BM_Verify(benchmark::State& state) {
  if (!is_ready(state)) return;
  const Sample& sample = kSamples[2];
  const auto tokens = model().tokenizer->encode(sample.text);
  const auto fresh = make_constraint(compile(sample.schema), model().index);
  for (auto _ : state) {
    auto constraint = fresh->clone();
    for (const auto token : tokens) {
      benchmark::DoNotOptimize(constraint->allows(token));
      constraint->accept(token);
    }
  }
  state.counters["per_token"] = benchmark::Counter(static_cast<double>(tokens.size() * state.iterations()),
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_Verify)->Unit(benchmark::kMicrosecond);

void BM_Compile100Tools(benchmark::State& state) {
  std::vector<json::JsonValue> schemas;
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    schemas.push_back(parse(R"({"type":"object","properties":{"query)" + n +
                            R"(":{"type":"string","description":"What"},
        "limit":{"type":"integer","minimum":1,"maximum":)" +
                            std::to_string(50 + i) + R"(},
        "kind":{"enum":["a)" +
                            n + R"(","b","c"]},"tags":{"type":"array","items":{"type":"string"}},
        "range":{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}}}},
        "required":["query)" +
                            n + R"("]})"));
  }
  const SchemaOptions options{.root = SchemaRoot::object, .other_members = OtherMembers::forbidden_at_top};
  for (auto _ : state) {
    for (const json::JsonValue& schema : schemas) benchmark::DoNotOptimize(compile_schema(schema, options));
  }
}
BENCHMARK(BM_Compile100Tools)->Unit(benchmark::kMillisecond);

void BM_BuildIndex(benchmark::State& state) {
  if (!is_ready(state)) return;
  for (auto _ : state) benchmark::DoNotOptimize(VocabularyIndex(*model().tokenizer).num_tokens());
}
BENCHMARK(BM_BuildIndex)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace parley::inference::grammar

BENCHMARK_MAIN();
