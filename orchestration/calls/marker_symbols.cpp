#include "orchestration/calls/marker_symbols.h"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::orchestration::calls {
namespace {

constexpr unsigned char kFirstSymbol = 0x80;  // the second byte: no ASCII character may be mistaken for it
constexpr std::size_t kMaxSymbols = 0x7F;

}  // namespace

MarkerVocabulary marker_vocabulary(const inference::tokenizer::Tokenizer& tokenizer) {
  // A name that becomes one token only where special tokens may be named is a special token's.
  const auto id_of = [&tokenizer](std::string_view marker) -> std::optional<TokenId> {
    const std::array trusted = {inference::tokenizer::TrustedRange{.begin = 0, .end = marker.size()}};
    const std::vector<TokenId> ids = tokenizer.encode(marker, trusted);
    if (ids.size() != 1 || tokenizer.encode(marker) == ids) return std::nullopt;
    return ids.front();
  };
  return {.id_of = id_of, .is_special = [&tokenizer](TokenId id) { return tokenizer.is_special(id); }};
}

CallFormat MarkerSymbols::resolve(CallFormat format) {
  for (Markers* markers :
       {&format.section_open, &format.section_close, &format.call_open, &format.name_end, &format.id_open,
        &format.call_close, &format.argument.open, &format.argument.name_end, &format.argument.attribute_end,
        &format.argument.value_open, &format.argument.value_close, &format.quote, &format.reasoning_open,
        &format.reasoning_close, &format.dropped}) {
    resolve(*markers);
  }
  return format;
}

void MarkerSymbols::resolve(Markers& markers) {
  for (std::string& marker : markers) {
    const std::optional<TokenId> id = vocabulary_.id_of ? vocabulary_.id_of(marker) : std::nullopt;
    if (!id || (names_.size() == kMaxSymbols && !symbols_.contains(*id))) {
      texts_.push_back(marker);
      continue;
    }
    if (symbols_.emplace(*id, names_.size()).second) names_.push_back(marker);
    marker = *symbol_of(*id);
  }
}

std::optional<std::string> MarkerSymbols::symbol_of(TokenId id) const {
  const auto found = symbols_.find(id);
  if (found == symbols_.end()) return std::nullopt;
  return std::string{static_cast<char>(kLead), static_cast<char>(kFirstSymbol + found->second)};
}

bool MarkerSymbols::is_hidden(TokenId id, std::string_view bytes) const {
  if (!vocabulary_.is_special || !vocabulary_.is_special(id)) return false;
  return std::none_of(texts_.begin(), texts_.end(),
                      [bytes](const std::string& text) { return text.find(bytes) != std::string::npos; });
}

std::string MarkerSymbols::spelled(std::string_view input) const {
  std::string text;
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (input[i] != static_cast<char>(kLead) || i + 1 == input.size()) {
      text += input[i];
      continue;
    }
    text += names_[static_cast<unsigned char>(input[++i]) - kFirstSymbol];
  }
  return text;
}

}  // namespace parley::orchestration::calls
