#include "inference/tokenizer/pre_tokenizer_rules.h"

#include <algorithm>

namespace parley::inference::tokenizer {
namespace {

// From the tokenizer.json files of SmolLM2, Qwen2.5, GPT-2 and Llama 3. As regular expressions, where the
// ends of alternatives differ:
//   smollm, gpt-2  's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//                  (smollm: after each numeral has been split off)
//   qwen2          (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*
//                  |\s*[\r\n]+|\s+(?!\S)|\s+
//   llama-bpe      the same with \p{N}{1,3}
constexpr PreTokenizerRules kRules[] = {
    {.names = {"smollm"}, .numbers_split_first = true},
    {.names = {"qwen2"},
     .contractions = Contractions::any_case,
     .letter_prefix = LetterPrefix::any_but_alphanumeric,
     .max_number_length = 1,
     .white_space = WhiteSpace::ends_at_newlines,
     .normalization = Normalization::nfc},
    {.names = {"gpt-2", "gpt2"}, .number_takes_space = true},
    {.names = {"llama-bpe", "llama3", "llama-v3"},
     .contractions = Contractions::any_case,
     .letter_prefix = LetterPrefix::any_but_alphanumeric,
     .max_number_length = 3,
     .white_space = WhiteSpace::ends_at_newlines,
     .known_words = KnownWords::taken_whole,
     .add_bos = true},
};

}  // namespace

const PreTokenizerRules* find_pre_tokenizer_rules(std::string_view name) {
  if (name.empty()) return nullptr;
  const auto has_name = [&](const PreTokenizerRules& rules) {
    return std::find(rules.names.begin(), rules.names.end(), name) != rules.names.end();
  };
  const auto* found = std::find_if(std::begin(kRules), std::end(kRules), has_name);
  return found == std::end(kRules) ? nullptr : found;
}

std::string supported_pre_tokenizers() {
  std::string list;
  for (const PreTokenizerRules& rules : kRules) {
    if (!list.empty()) list += ", ";
    list += rules.names[0];
  }
  return list;
}

}  // namespace parley::inference::tokenizer
