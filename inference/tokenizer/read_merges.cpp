#include "inference/tokenizer/read_merges.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace parley::inference::tokenizer {
namespace {

class MergeReader {
 public:
  MergeReader(const TokenizerMetadata& metadata, const Vocabulary& vocabulary)
      : metadata_(metadata), vocabulary_(vocabulary) {
    index_names();
  }

  MergeTable read() const {
    MergeTable merges(metadata_.merges.size());
    for (std::size_t entry = 0; entry < metadata_.merges.size(); ++entry) add(entry, merges);
    return merges;
  }

 private:
  // Several tokens without a name occur in real files; they can be neither found nor confused.
  void index_names() {
    index_.reserve(metadata_.names.size());
    for (std::size_t id = 0; id < metadata_.names.size(); ++id) {
      if (metadata_.names[id].empty()) continue;
      const auto [entry, is_new] = index_.try_emplace(metadata_.names[id], static_cast<TokenId>(id));
      if (is_new) continue;
      fail_at_entry(*metadata_.file, kTokensKey, id, "is the same as entry " + std::to_string(entry->second));
    }
  }

  void add(std::size_t entry, MergeTable& merges) const {
    const std::string_view line = metadata_.merges[entry];
    const std::size_t space = line.find(' ');
    if (space == 0 || space >= line.size() - 1 || line.find(' ', space + 1) != std::string_view::npos) {
      fail(entry, "must be two names of tokens with a space between them");
    }
    const std::string_view left = line.substr(0, space);
    const std::string_view right = line.substr(space + 1);
    const TokenId left_token = find(entry, left);
    const TokenId right_token = find(entry, right);
    const TokenId result = find(entry, std::string(left).append(right));
    if (!merges.add(left_token, right_token, result)) fail(entry, "is there twice");
  }

  TokenId find(std::size_t entry, std::string_view name) const {
    const auto found = index_.find(name);
    if (found == index_.end()) fail(entry, "needs a token that is not in the vocabulary");
    const TokenUse use = vocabulary_.use(found->second);
    if (use == TokenUse::text || use == TokenUse::user_defined) return found->second;
    fail(entry, "uses token " + std::to_string(found->second) + ", which is special");
  }

  [[noreturn]] void fail(std::size_t entry, std::string_view problem) const {
    fail_at_entry(*metadata_.file, kMergesKey, entry, problem);
  }

  const TokenizerMetadata& metadata_;
  const Vocabulary& vocabulary_;
  std::unordered_map<std::string_view, TokenId> index_;
};

}  // namespace

MergeTable read_merges(const TokenizerMetadata& metadata, const Vocabulary& vocabulary) {
  return MergeReader(metadata, vocabulary).read();
}

}  // namespace parley::inference::tokenizer
