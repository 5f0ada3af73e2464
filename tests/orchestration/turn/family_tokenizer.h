#pragma once
// A tokenizer that has the markers of a family as tokens, or not. Immutable, any thread.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/calls/call_format.h"
#include "tests/orchestration/turn/toy_text.h"

namespace parley::orchestration::turn {

enum class MarkerTokens { none, control, user_defined };

// Bytes, a token that ends, and one for each marker of a family that looks like a token.
class FamilyTokenizer final : public inference::tokenizer::Tokenizer {
 public:
  FamilyTokenizer(const calls::CallFormat& format, MarkerTokens kind) : kind_(kind) {
    special_.stops = {kToyStop};
    names_ = {"<bos>", "<stop>", "<special>"};
    if (kind == MarkerTokens::none) return;
    for (const calls::Markers* some :
         {&format.section_open, &format.section_close, &format.call_open, &format.name_end, &format.id_open,
          &format.call_close, &format.quote, &format.reasoning_open, &format.reasoning_close,
          &format.argument.open, &format.argument.name_end, &format.argument.value_open,
          &format.argument.value_close}) {
      for (const std::string& marker : *some) {
        const bool is_token = marker.size() > 2 && (marker.back() == '>' || marker.back() == ']');
        const bool is_new = std::find(names_.begin(), names_.end(), marker) == names_.end();
        if (is_token && is_new && marker.find(' ') == marker.npos) names_.push_back(marker);
      }
    }
  }

  std::vector<std::int32_t> encode(std::string_view text) const override { return bytes_.encode(text); }
  std::vector<std::int32_t> encode(
      std::string_view text, std::span<const inference::tokenizer::TrustedRange> trusted) const override {
    return trusted.empty() ? encode(text) : encode_generated(text);
  }
  // As the model spells it.
  std::vector<std::int32_t> encode_generated(std::string_view text) const {
    std::vector<std::int32_t> ids;
    while (!text.empty()) {
      std::size_t longest = 0;
      for (std::size_t i = 3; i < names_.size(); ++i) {
        const bool is_longer =
            text.starts_with(names_[i]) && (longest == 0 || names_[i].size() > names_[longest].size());
        if (is_longer) longest = i;
      }
      ids.push_back(longest == 0 ? static_cast<std::uint8_t>(text.front())
                                 : static_cast<std::int32_t>(256 + longest));
      text.remove_prefix(longest == 0 ? 1 : names_[longest].size());
    }
    return ids;
  }
  std::string_view token_bytes(std::int32_t id) const override {
    return id < 256 ? bytes_.token_bytes(id)
                    : std::string_view(names_.at(static_cast<std::size_t>(id - 256)));
  }
  bool is_special(std::int32_t id) const override {
    return id >= 256 && (id < 259 || kind_ == MarkerTokens::control);
  }
  std::string decode(std::span<const std::int32_t> ids, bool) const override {
    std::string text;
    for (const std::int32_t id : ids) text += token_bytes(id);
    return text;
  }
  int vocab_size() const override { return 256 + static_cast<int>(names_.size()); }
  const inference::tokenizer::SpecialTokens& special_tokens() const override { return special_; }

 private:
  const MarkerTokens kind_;
  const ToyTokenizer bytes_;
  std::vector<std::string> names_;
  inference::tokenizer::SpecialTokens special_;
};

}  // namespace parley::orchestration::turn
