#pragma once
// A small byte-level vocabulary for tests: ids 0 to 255 are the bytes, then the tokens that are added.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inference/tokenizer/byte_alphabet.h"
#include "inference/tokenizer/tokenizer.h"
#include "inference/tokenizer/tokenizer_metadata.h"
#include "tests/fakes/fake_gguf_file.h"

namespace parley::inference::tokenizer {

class TinyVocabulary {
 public:
  explicit TinyVocabulary(std::string_view pre_tokenizer = "gpt-2") : pre_tokenizer_(pre_tokenizer) {
    for (int byte = 0; byte < 256; ++byte) {
      add_named(name_of_bytes(std::string(1, static_cast<char>(byte))), TokenType::normal);
    }
  }

  // A text token and the merge that makes it.
  TokenId merge(std::string_view left, std::string_view right) {
    merges_.push_back(name_of_bytes(left) + " " + name_of_bytes(right));
    return add_named(name_of_bytes(std::string(left) + std::string(right)), TokenType::normal);
  }
  TokenId add_named(std::string_view name, TokenType type) {
    names_.emplace_back(name);
    types_.push_back(static_cast<std::int64_t>(type));
    return static_cast<TokenId>(names_.size() - 1);
  }

  tests::fakes::FakeGgufFile file() const {
    tests::fakes::FakeGgufFile file;
    file.set("tokenizer.ggml.model", std::string("gpt2"));
    file.set("tokenizer.ggml.pre", pre_tokenizer_);
    file.set("tokenizer.ggml.tokens", names_);
    file.set("tokenizer.ggml.token_type", types_);
    file.set("tokenizer.ggml.merges", merges_);
    return file;
  }

  std::vector<std::string>& names() { return names_; }
  std::vector<std::int64_t>& types() { return types_; }
  std::vector<std::string>& merges() { return merges_; }

 private:
  std::string pre_tokenizer_;
  std::vector<std::string> names_;
  std::vector<std::int64_t> types_;
  std::vector<std::string> merges_;
};

inline std::vector<TokenId> ids_of_bytes(std::string_view bytes) {
  std::vector<TokenId> ids;
  for (const char byte : bytes) ids.push_back(static_cast<unsigned char>(byte));
  return ids;
}

}  // namespace parley::inference::tokenizer
