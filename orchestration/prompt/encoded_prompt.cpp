#include "orchestration/prompt/encoded_prompt.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace parley::orchestration::prompt {
namespace {

using inference::tokenizer::Tokenizer;
using inference::tokenizer::TrustedRange;

class Encoder {
 public:
  Encoder(const Tokenizer& tokenizer, const jinja::Rendered& rendered)
      : tokenizer_(tokenizer), rendered_(rendered) {}

  void add_text(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    const std::string_view text = std::string_view(rendered_.text).substr(begin, end - begin);
    add_ids(begin, end, tokenizer_.encode(text, trusted_within(begin, end)));
  }

  void add_ids(std::size_t begin, std::size_t end, std::span<const std::int32_t> ids) {
    prompt_.pieces.push_back({begin, end, prompt_.ids.size(), ids.size()});
    prompt_.ids.insert(prompt_.ids.end(), ids.begin(), ids.end());
  }

  EncodedPrompt take() {
    const auto& special = tokenizer_.special_tokens();
    const bool begins = special.bos && !prompt_.ids.empty() && prompt_.ids.front() == *special.bos;
    if (!special.add_bos || !special.bos || begins) return std::move(prompt_);
    prompt_.ids.insert(prompt_.ids.begin(), *special.bos);
    for (EncodedPiece& piece : prompt_.pieces) ++piece.first_id;
    return std::move(prompt_);
  }

 private:
  // The template's own bytes in [begin, end), counted from `begin`. Called with ascending ranges.
  std::vector<TrustedRange> trusted_within(std::size_t begin, std::size_t end) {
    std::vector<TrustedRange> ranges;
    while (next_run_ < rendered_.runs.size() && rendered_.runs[next_run_].end <= begin) ++next_run_;
    for (std::size_t i = next_run_; i < rendered_.runs.size() && rendered_.runs[i].begin < end; ++i) {
      const jinja::OriginRun& run = rendered_.runs[i];
      if (run.origin != jinja::kTemplateOrigin) continue;
      ranges.push_back({std::max(run.begin, begin) - begin, std::min(run.end, end) - begin});
    }
    return ranges;
  }

  const Tokenizer& tokenizer_;
  const jinja::Rendered& rendered_;
  std::size_t next_run_ = 0;
  EncodedPrompt prompt_;
};

}  // namespace

EncodedPrompt encode_prompt(const Tokenizer& tokenizer, const jinja::Rendered& rendered,
                            const std::vector<Splice>& splices) {
  Encoder encoder(tokenizer, rendered);
  std::size_t position = 0;
  for (const Splice& splice : splices) {
    encoder.add_text(position, splice.begin);
    encoder.add_ids(splice.begin, splice.end, splice.ids);
    position = splice.end;
  }
  encoder.add_text(position, rendered.text.size());
  return encoder.take();
}

void append_answer(const Tokenizer& tokenizer, const ChatMessage& answer, EncodedPrompt& prompt) {
  const std::string_view text = answer.text;
  const SpelledPrefix prefix = match_ids(tokenizer, answer.token_ids, text).value_or(SpelledPrefix());
  prompt.ids.insert(prompt.ids.end(), answer.token_ids.begin(),
                    answer.token_ids.begin() + static_cast<std::ptrdiff_t>(prefix.num_ids));
  const auto rest = tokenizer.encode(text.substr(prefix.num_bytes));
  prompt.ids.insert(prompt.ids.end(), rest.begin(), rest.end());
  prompt.num_answer_ids = prefix.num_ids + rest.size();
}

std::vector<std::size_t> count_ids_before(const Tokenizer& tokenizer, const EncodedPrompt& prompt,
                                          std::span<const std::size_t> positions) {
  assert(std::is_sorted(positions.begin(), positions.end()));
  std::vector<std::size_t> counts;
  counts.reserve(positions.size());
  for (const EncodedPiece& piece : prompt.pieces) {
    const auto stands_before = [&](std::size_t byte) {
      return counts.size() < positions.size() && positions[counts.size()] < piece.end &&
             positions[counts.size()] <= byte;
    };
    std::size_t at = piece.begin;
    for (std::size_t i = 0; i < piece.num_ids && stands_before(piece.end); ++i) {
      while (stands_before(at)) counts.push_back(piece.first_id + i);
      at += tokenizer.token_bytes(prompt.ids[piece.first_id + i]).size();
    }
    while (stands_before(piece.end)) counts.push_back(piece.first_id + piece.num_ids);
  }
  counts.resize(positions.size(), prompt.ids.size());
  return counts;
}

}  // namespace parley::orchestration::prompt
