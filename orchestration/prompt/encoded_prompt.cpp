#include "orchestration/prompt/encoded_prompt.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <string_view>

#include "orchestration/prompt/replay.h"
#include "orchestration/prompt/trimmed.h"

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

void append_ids(std::vector<std::int32_t>& ids, std::span<const std::int32_t> more) {
  ids.insert(ids.end(), more.begin(), more.end());
}

// Of a text that is cut or edited, what its ids still spell.
void append_text(const Tokenizer& tokenizer, const ChatMessage& answer, EncodedPrompt& prompt) {
  const std::string_view text = answer.text;
  const SpelledPrefix prefix = match_ids(tokenizer, answer.token_ids, text).value_or(SpelledPrefix());
  append_ids(prompt.ids, std::span(answer.token_ids).first(prefix.num_ids));
  append_ids(prompt.ids, tokenizer.encode(text.substr(prefix.num_bytes)));
}

// Nothing for a template that knows no marks, or an answer that needs none.
void append_marked_reasoning(const Tokenizer& tokenizer, const ChatMessage& answer,
                             const TemplateCapabilities& can, EncodedPrompt& prompt) {
  const bool opened = prompt.reasoning_start == calls::ReasoningStart::opened;
  if (can.reasoning_close.empty() || (answer.reasoning.empty() && !opened)) return;
  const auto append_mark = [&](std::string_view mark) {
    const TrustedRange all{0, mark.size()};
    append_ids(prompt.ids, tokenizer.encode(mark, std::span(&all, 1)));
  };
  if (!opened) append_mark(can.reasoning_open);
  append_ids(prompt.ids, tokenizer.encode(answer.reasoning));
  if (!answer.text.empty() || !answer.calls.empty()) append_mark(can.reasoning_close);
}

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

void append_answer(const Tokenizer& tokenizer, const ChatMessage& answer, const TemplateCapabilities& can,
                   EncodedPrompt& prompt) {
  if (answer.text.empty() && answer.reasoning.empty() && answer.calls.empty()) return;
  const std::size_t before = prompt.ids.size();
  const std::string_view close = trimmed(can.reasoning_close);
  bool in_reasoning = answer.text.empty() && answer.calls.empty();
  if (const auto ids = answer_ids(tokenizer, answer)) {
    prompt.ids.insert(prompt.ids.end(), ids->begin(), ids->end());
    const bool closed = !close.empty() && tokenizer.decode(*ids, true).find(close) != std::string::npos;
    in_reasoning = in_reasoning && !closed;
  } else {
    append_marked_reasoning(tokenizer, answer, can, prompt);
    append_text(tokenizer, answer, prompt);
  }
  prompt.num_answer_ids = prompt.ids.size() - before;
  if (prompt.num_answer_ids == 0) return;  // reasoning that the template cannot show
  prompt.reasoning_start = in_reasoning ? calls::ReasoningStart::inside : calls::ReasoningStart::closed;
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
