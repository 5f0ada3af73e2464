// parley bench --grammar where no model file is at hand: over the vocabulary of Qwen3 that
// tests/bench/fetch_vocabulary.py fetches. Run by hand from the source folder:
// build/release/tests/bench/grammar_bench [--json]

#include "app/cli/grammar_bench.h"

#include <iostream>
#include <string_view>

#include <boost/json.hpp>

#include "app/cli/bench_report.h"
#include "tests/inference/grammar/real_vocabulary.h"

int main(int argc, char** argv) {
  const auto tokenizer = parley::inference::grammar::load_real_vocabulary();
  if (!tokenizer) {
    std::cerr << "run tests/bench/fetch_vocabulary.py first\n";
    return 1;
  }
  boost::json::object report = parley::app::cli::bench_grammar(*tokenizer);
  report["model"] = "vocabulary of Qwen3";
  if (argc > 1 && std::string_view(argv[1]) == "--json") {
    std::cout << boost::json::serialize(report) << "\n";
  } else {
    parley::app::cli::print_grammar_report(report);
  }
  return 0;
}
