#include "inference/tokenizer/character_table.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <map>
#include <span>

namespace parley::inference::tokenizer {
namespace {

// ICU calls this for each range of code points of one category. The context is the table being filled.
UBool take_category(const void* context, UChar32 begin, UChar32 end, UCharCategory category) {
  const auto& kinds = *static_cast<const std::span<CharacterKind>*>(context);
  const std::uint32_t mask = U_MASK(category);
  if ((mask & (U_GC_L_MASK | U_GC_N_MASK)) == 0) return true;
  const CharacterKind kind = (mask & U_GC_L_MASK) != 0 ? CharacterKind::letter : CharacterKind::number;
  std::fill(kinds.begin() + begin, kinds.begin() + end, kind);
  return true;
}

void fill_kinds(std::span<CharacterKind> kinds) {
  std::fill(kinds.begin(), kinds.end(), CharacterKind::other);
  u_enumCharTypes(take_category, &kinds);
  // U+3000 is the last white space.
  for (UChar32 code_point = 0; code_point <= 0x3000; ++code_point) {
    if (u_isUWhiteSpace(code_point)) kinds[static_cast<std::size_t>(code_point)] = CharacterKind::space;
  }
  kinds['\n'] = kinds['\r'] = CharacterKind::newline;
}

}  // namespace

CharacterTable::CharacterTable() {
  std::vector<CharacterKind> kinds(kNumCodePoints);
  fill_kinds(kinds);
  std::map<Block, std::uint16_t> known;
  for (std::size_t index = 0; index < block_index_.size(); ++index) {
    Block block;
    std::copy_n(kinds.begin() + static_cast<std::ptrdiff_t>(index * kBlockSize), kBlockSize, block.begin());
    const auto [entry, is_new] = known.try_emplace(block, static_cast<std::uint16_t>(blocks_.size()));
    if (is_new) blocks_.push_back(block);
    block_index_[index] = entry->second;
  }
}

}  // namespace parley::inference::tokenizer
