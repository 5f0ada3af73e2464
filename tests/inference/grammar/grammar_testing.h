#pragma once
// What tests of grammars share: schemas as text, a small vocabulary, and random walks by a constraint.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inference/grammar/grammar_machine.h"
#include "inference/grammar/schema_grammar.h"
#include "inference/grammar/token_constraint.h"
#include "inference/grammar/vocabulary_index.h"
#include "inference/json/json.h"
#include "inference/tokenizer/tokenizer.h"
#include "tests/inference/tokenizer/tiny_vocabulary.h"

namespace parley::inference::grammar {

inline json::JsonValue parse_or_die(std::string_view text) {
  auto parsed = json::parse_json(text, {.max_bytes = text.size() + 1, .max_depth = 200});
  if (const auto* error = std::get_if<json::JsonError>(&parsed))
    ADD_FAILURE() << error->message << ": " << text;
  return std::holds_alternative<json::JsonValue>(parsed) ? std::get<json::JsonValue>(parsed)
                                                         : json::JsonValue();
}

inline SchemaGrammar compile_or_die(std::string_view schema, const SchemaOptions& options = {}) {
  auto made = compile_schema(parse_or_die(schema), options);
  if (const auto* error = std::get_if<GrammarError>(&made)) {
    ADD_FAILURE() << error->message << ": " << schema;
    return {json_value_grammar(), {}};
  }
  return std::get<SchemaGrammar>(made);
}

inline std::string error_of(std::string_view schema, const SchemaOptions& options = {}) {
  const auto made = compile_schema(parse_or_die(schema), options);
  const auto* error = std::get_if<GrammarError>(&made);
  return error != nullptr ? error->message : "";
}

inline bool schema_accepts(std::string_view schema, std::string_view text) {
  return accepts(compile_or_die(schema).grammar, text);
}

// All single bytes, and pieces that cross the borders between the parts of JSON.
class SmallVocabulary {
 public:
  explicit SmallVocabulary(const std::vector<std::string>& pieces = default_pieces()) {
    tokenizer::TinyVocabulary tiny;
    for (const std::string& piece : pieces) {
      tiny.add_named(tokenizer::name_of_bytes(piece), tokenizer::TokenType::normal);
    }
    end_ = tiny.add_named("<|im_end|>", tokenizer::TokenType::control);
    think_ = tiny.add_named("<think>", tokenizer::TokenType::control);
    think_end_ = tiny.add_named("</think>", tokenizer::TokenType::control);
    call_ = tiny.add_named("<tool_call>", tokenizer::TokenType::user_defined);
    call_end_ = tiny.add_named("</tool_call>", tokenizer::TokenType::user_defined);
    tokenizer_ = tokenizer::make_tokenizer(tiny.file());
    index_ = std::make_shared<VocabularyIndex>(*tokenizer_);
  }

  static std::vector<std::string> default_pieces() {
    return {"{\"",
            "\":",
            "\": \"",
            "\"}",
            "\",",
            "\", \"",
            "},",
            "[{",
            "]}",
            "}]",
            "[[",
            "]]",
            ", ",
            ": ",
            "true",
            "false",
            "null",
            "abc",
            "hello",
            " world",
            "name",
            "12",
            "123",
            "-1",
            "0.",
            "1e",
            "\\n",
            "\\\"",
            "\\u",
            "00",
            "é",
            "\xF0\x9F",
            "\x98\x80",
            "\n  ",
            "    ",
            "\t\t",
            "a\"",
            "b\": ",
            "\"a",
            "\"}]",
            "a very long piece of text that no short slice can have in it",
            "{\"name\": \"",
            "\"arguments\": {"};
  }

  const std::shared_ptr<const VocabularyIndex>& index() const { return index_; }
  const tokenizer::Tokenizer& tokenizer() const { return *tokenizer_; }
  TokenId end() const { return end_; }
  TokenId think() const { return think_; }
  TokenId think_end() const { return think_end_; }
  TokenId call() const { return call_; }
  TokenId call_end() const { return call_end_; }

 private:
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const VocabularyIndex> index_;  // shared with the constraints
  TokenId end_ = 0, think_ = 0, think_end_ = 0, call_ = 0, call_end_ = 0;
};

inline std::vector<TokenId> tokens_of(const MaskWords& mask) {
  std::vector<TokenId> tokens;
  for (std::size_t token = 0; token < mask.size() * 64; ++token) {
    if (has_bit(mask, static_cast<TokenId>(token))) tokens.push_back(static_cast<TokenId>(token));
  }
  return tokens;
}

// Feeds text as single bytes; false at the first that is refused.
inline bool feed(TokenConstraint& constraint, std::string_view text) {
  for (const char byte : text) {
    const auto token = static_cast<TokenId>(static_cast<unsigned char>(byte));
    if (!constraint.allows(token)) return false;
    constraint.accept(token);
  }
  return true;
}

// Draws tokens from the masks until the end comes, which is taken when it may, after `patience` tokens.
inline std::string random_text(const SmallVocabulary& vocabulary, TokenConstraint& constraint,
                               std::mt19937& random, int patience = 30) {
  std::string text;
  MaskWords mask(vocabulary.index()->num_words());
  for (int step = 0; step < 5000; ++step) {
    constraint.fill_mask(mask);
    const std::vector<TokenId> tokens = tokens_of(mask);
    if (tokens.empty()) {
      ADD_FAILURE() << "nothing may follow " << text;
      return text;
    }
    const bool may_end = has_bit(mask, vocabulary.end());
    if (may_end && (step >= patience || tokens.size() == 1)) return text;
    TokenId token = tokens[random() % tokens.size()];
    if (token == vocabulary.end()) return text;
    if (step > patience && random() % 4 != 0) {  // towards an end: what closes comes first
      for (const TokenId candidate : tokens) {
        const std::string_view bytes = vocabulary.tokenizer().token_bytes(candidate);
        if (bytes == "\"" || bytes == "}" || bytes == "]") token = candidate;
      }
    }
    constraint.accept(token);
    text += vocabulary.tokenizer().token_bytes(token);
  }
  ADD_FAILURE() << "no end after 5000 tokens";
  return text;
}

}  // namespace parley::inference::grammar
