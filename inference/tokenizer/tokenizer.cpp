#include "inference/tokenizer/tokenizer.h"

#include <cassert>
#include <unordered_map>
#include <utility>

#include "inference/tokenizer/byte_pair_encoder.h"
#include "inference/tokenizer/character_table.h"
#include "inference/tokenizer/normalize.h"
#include "inference/tokenizer/pre_token_scanner.h"
#include "inference/tokenizer/read_merges.h"
#include "inference/tokenizer/special_matcher.h"
#include "inference/tokenizer/tokenizer_metadata.h"
#include "inference/tokenizer/vocabulary.h"

namespace parley::inference::tokenizer {
namespace {

[[maybe_unused]] bool are_ordered(std::span<const TrustedRange> ranges, std::size_t text_size) {
  std::size_t end = 0;
  for (const TrustedRange& range : ranges) {
    if (range.begin < end || range.end < range.begin) return false;
    end = range.end;
  }
  return end <= text_size;
}

class BytePairTokenizer final : public Tokenizer {
 public:
  explicit BytePairTokenizer(const TokenizerMetadata& metadata)
      : rules_(*metadata.rules),
        vocabulary_(metadata),
        encoder_(vocabulary_.byte_tokens(), read_merges(metadata, vocabulary_)),
        special_matcher_(vocabulary_.named_tokens()),
        special_tokens_(vocabulary_.special_tokens(metadata)) {
    if (rules_.known_words == KnownWords::taken_whole) words_ = vocabulary_.words();
  }

  std::vector<TokenId> encode(std::string_view text) const override { return encode(text, {}); }

  std::vector<TokenId> encode(std::string_view text, std::span<const TrustedRange> trusted) const override {
    assert(are_ordered(trusted, text.size()));
    Run run;
    std::size_t begin = 0;
    for (const TrustedRange& range : trusted) {
      for (const auto& match : special_matcher_.find(text.substr(range.begin, range.end - range.begin))) {
        encode_data(text.substr(begin, range.begin + match.begin - begin), run);
        run.tokens.push_back(match.token);
        begin = range.begin + match.end;
      }
    }
    encode_data(text.substr(begin), run);
    return std::move(run.tokens);
  }

  std::string_view token_bytes(TokenId id) const override { return vocabulary_.bytes(id); }

  bool is_special(TokenId id) const override {
    const TokenUse use = vocabulary_.use(id);
    return use == TokenUse::special || use == TokenUse::unused;
  }

  std::string decode(std::span<const TokenId> ids, bool with_special) const override {
    std::string text;
    for (const TokenId id : ids) {
      if (with_special || !is_special(id)) text += token_bytes(id);
    }
    return text;
  }

  int vocab_size() const override { return vocabulary_.size(); }
  const SpecialTokens& special_tokens() const override { return special_tokens_; }

 private:
  // What one call of encode() builds and reuses.
  struct Run {
    std::vector<TokenId> tokens;
    BytePairEncoder::Scratch scratch;
    std::string normal_text;
  };

  // Text between special tokens. Normalising it apart keeps the places of trusted ranges out of the matter.
  void encode_data(std::string_view text, Run& run) const {
    if (rules_.normalization == Normalization::nfc) text = to_nfc(text, run.normal_text);
    PreTokenScanner scanner(rules_, character_table_, text);
    while (!scanner.done()) {
      const std::string_view piece = scanner.next();
      const auto word = words_.find(piece);
      if (word != words_.end()) {
        run.tokens.push_back(word->second);
      } else {
        encoder_.encode(piece, run.scratch, run.tokens);
      }
    }
  }

  const PreTokenizerRules& rules_;
  const CharacterTable character_table_;
  const Vocabulary vocabulary_;
  const BytePairEncoder encoder_;
  const SpecialMatcher special_matcher_;
  const SpecialTokens special_tokens_;
  std::unordered_map<std::string_view, TokenId>
      words_;  // taken whole; empty where the rules do not want that
};

}  // namespace

std::unique_ptr<Tokenizer> make_tokenizer(const formats::GgufFile& file) {
  return std::make_unique<BytePairTokenizer>(read_tokenizer_metadata(file));
}

}  // namespace parley::inference::tokenizer
