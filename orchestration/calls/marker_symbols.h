#pragma once
// Markers that are one special token of the vocabulary are matched by its id, so that text which merely
// spells them stays text. To match both kinds alike, such a token is written into the parser's input as a
// symbol: two bytes that no UTF-8 text contains. Belongs to one parser, used by one thread. Never fails but
// for memory.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/calls/call_format.h"

namespace parley::orchestration::calls {

using inference::tokenizer::TokenId;

// What the parser asks a vocabulary. Empty functions: it knows no special tokens, all markers are bytes.
struct MarkerVocabulary {
  std::function<std::optional<TokenId>(std::string_view)> id_of;  // of a special or user-defined token
  std::function<bool(TokenId)> is_special;                        // a control token: never shown
};

// Borrows the tokenizer.
MarkerVocabulary marker_vocabulary(const inference::tokenizer::Tokenizer& tokenizer);

class MarkerSymbols {
 public:
  explicit MarkerSymbols(MarkerVocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}

  // The row with every marker replaced by what stands for it in the input: its symbol, or its text.
  CallFormat resolve(CallFormat format);

  // The symbol of a marker's token; nullopt for all other tokens.
  std::optional<std::string> symbol_of(TokenId id) const;

  // A control token that is neither a marker nor part of one.
  bool is_hidden(TokenId id, std::string_view bytes) const;

  static bool is_symbol(std::string_view text) {
    return !text.empty() && text.front() == static_cast<char>(kLead);
  }
  static constexpr std::size_t kSymbolSize = 2;
  static constexpr unsigned char kLead = 0xFF;

  // Text of the input with the symbols in it spelled out.
  std::string spelled(std::string_view input) const;

 private:
  void resolve(Markers& markers);

  MarkerVocabulary vocabulary_;
  std::vector<std::string> names_;  // by symbol
  std::vector<std::string> texts_;  // of the markers matched by bytes
  std::map<TokenId, std::size_t> symbols_;
};

}  // namespace parley::orchestration::calls
