#pragma once
// A small tokenizer: one id for each byte, one for some frequent pairs (so that there is more than one way to
// spell a text), and special tokens. Immutable after construction, any thread.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inference/tokenizer/tokenizer.h"

namespace parley::fakes {

class FakeTokenizer : public inference::tokenizer::Tokenizer {
 public:
  using TokenId = inference::tokenizer::TokenId;
  using TrustedRange = inference::tokenizer::TrustedRange;

  static constexpr TokenId kFirstPair = 256;
  static constexpr TokenId kImStart = 260;
  static constexpr TokenId kImEnd = 261;
  static constexpr TokenId kBos = 262;
  static constexpr TokenId kEos = 263;

  FakeTokenizer() {
    for (int byte = 0; byte < 256; ++byte) names_.emplace_back(1, static_cast<char>(byte));
    for (const char* name : {"ab", "he", "ll", "  ", "<|im_start|>", "<|im_end|>", "<s>", "</s>"}) {
      names_.emplace_back(name);
    }
    special_.bos = kBos;
    special_.eos = kEos;
    special_.stops = {kEos, kImEnd};
  }

  explicit FakeTokenizer(bool add_bos) : FakeTokenizer() { special_.add_bos = add_bos; }

  std::vector<TokenId> encode(std::string_view text) const override { return encode(text, {}); }

  std::vector<TokenId> encode(std::string_view text, std::span<const TrustedRange> trusted) const override {
    std::vector<TokenId> ids;
    for (std::size_t at = 0; at < text.size();) {
      TokenId id = static_cast<unsigned char>(text[at]);
      for (TokenId longer = kFirstPair; longer < vocab_size(); ++longer) {
        const std::string& name = names_[static_cast<std::size_t>(longer)];
        const bool here = text.substr(at, name.size()) == name;
        if (here && (!is_special(longer) || is_trusted(at, at + name.size(), trusted))) id = longer;
      }
      ids.push_back(id);
      at += names_[static_cast<std::size_t>(id)].size();
    }
    return ids;
  }

  std::string_view token_bytes(TokenId id) const override { return names_.at(static_cast<std::size_t>(id)); }
  bool is_special(TokenId id) const override { return id >= kImStart; }

  std::string decode(std::span<const TokenId> ids, bool with_special) const override {
    std::string text;
    for (const TokenId id : ids) {
      if (with_special || !is_special(id)) text += token_bytes(id);
    }
    return text;
  }

  int vocab_size() const override { return static_cast<int>(names_.size()); }
  const inference::tokenizer::SpecialTokens& special_tokens() const override { return special_; }

 private:
  static bool is_trusted(std::size_t begin, std::size_t end, std::span<const TrustedRange> trusted) {
    for (const TrustedRange& range : trusted) {
      if (range.begin <= begin && end <= range.end) return true;
    }
    return false;
  }

  std::vector<std::string> names_;
  inference::tokenizer::SpecialTokens special_;
};

// One id for each byte: another spelling than encode() chooses.
inline std::vector<std::int32_t> byte_ids(std::string_view text) {
  std::vector<std::int32_t> ids;
  for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
  return ids;
}

}  // namespace parley::fakes
