#pragma once
// The vocabulary of Qwen3, where tests/bench/fetch_vocabulary.py has put it. Tests run in the source folder.

#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "tests/fakes/fake_gguf_file.h"

namespace parley::inference::grammar {

inline constexpr const char* kRealVocabulary = "build/vocabularies/qwen3.json";

// Null: it has not been fetched.
inline std::unique_ptr<tokenizer::Tokenizer> load_real_vocabulary() {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.load(kRealVocabulary).get(root) != simdjson::SUCCESS) return nullptr;
  const auto strings = [&](const char* key) {
    std::vector<std::string> out;
    for (const auto element : root[key].get_array()) out.emplace_back(std::string_view(element));
    return out;
  };
  std::vector<std::int64_t> types;
  for (const auto element : root["types"].get_array()) types.push_back(std::int64_t(element));
  tests::fakes::FakeGgufFile file;
  file.set("tokenizer.ggml.model", std::string("gpt2"));
  file.set("tokenizer.ggml.pre", std::string("qwen2"));
  file.set("tokenizer.ggml.tokens", strings("tokens"));
  file.set("tokenizer.ggml.token_type", std::move(types));
  file.set("tokenizer.ggml.merges", strings("merges"));
  return tokenizer::make_tokenizer(file);
}

}  // namespace parley::inference::grammar
