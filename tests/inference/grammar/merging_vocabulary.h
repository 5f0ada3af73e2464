#pragma once
// A vocabulary whose tokenizer merges bytes to a few words of JSON: name, {", ":, "}, " 1". Immutable, any
// thread.

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/grammar/vocabulary_index.h"
#include "tests/inference/tokenizer/tiny_vocabulary.h"

namespace parley::inference::grammar {

class MergingVocabulary {
 public:
  // Without a token for `missing`.
  explicit MergingVocabulary(std::optional<char> missing = std::nullopt) {
    tokenizer::TinyVocabulary tiny;
    if (missing) tiny.names()[static_cast<unsigned char>(*missing)] = std::string(8, *missing);
    tiny.merge("n", "a");
    tiny.merge("m", "e");
    tiny.merge("na", "me");
    tiny.merge("{", "\"");
    tiny.merge("\"", ":");
    tiny.merge("\"", "}");
    tiny.merge(" ", "1");
    call_ = tiny.add_named("<tool_call>", tokenizer::TokenType::user_defined);
    think_ = tiny.add_named("<think>", tokenizer::TokenType::control);
    end_ = tiny.add_named("<|im_end|>", tokenizer::TokenType::control);
    tokenizer_ = tokenizer::make_tokenizer(tiny.file());
    index_ = std::make_shared<VocabularyIndex>(*tokenizer_);
  }

  const VocabularyIndex& index() const { return *index_; }
  std::shared_ptr<const VocabularyIndex> shared_index() const { return index_; }
  TokenId call() const { return call_; }
  TokenId think() const { return think_; }
  TokenId end() const { return end_; }

  std::vector<TokenId> tokens(std::initializer_list<std::string_view> pieces) const {
    std::vector<TokenId> out;
    for (const std::string_view piece : pieces) {
      for (TokenId token = 0; token < tokenizer_->vocab_size(); ++token) {
        if (tokenizer_->token_bytes(token) == piece) out.push_back(token);
      }
    }
    return out;
  }

 private:
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const VocabularyIndex> index_;  // shared with the constraints
  TokenId call_ = 0, think_ = 0, end_ = 0;
};

}  // namespace parley::inference::grammar
