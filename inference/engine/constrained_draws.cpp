#include "inference/engine/constrained_draws.h"

#include <utility>

namespace parley::inference::engine {
namespace {

// Draws are counted from 0 in each answer, so these numbers are free, and a seed gives the same answer again.
constexpr std::uint64_t kSecondDraw = std::uint64_t{1} << 63;

}  // namespace

void ConstrainedDraws::correct(std::span<const Chunk> chunks, const backend::SamplePlan& sampling,
                               ModelRunner& runner, std::vector<backend::SampledToken>& drawn) {
  refused_.clear();
  owners_.clear();
  std::size_t index = 0;
  for (const Chunk& chunk : chunks) {
    if (!chunk.draws_token()) continue;
    if (is_refused(*chunk.sequence, drawn[index])) {
      refused_.push_back(index);
      owners_.push_back(chunk.sequence);
    }
    ++index;
  }
  if (refused_.empty()) return;
  num_refused_ += refused_.size();
  masks_.resize(refused_.size() * mask_words());
  again_.clear();
  for (std::size_t i = 0; i < refused_.size(); ++i) {
    ++owners_[i]->num_constrained_draws;
    owners_[i]->constraint->fill_mask(mask(i));
    backend::SampleRow row = sampling[refused_[i]];
    row.allowed = mask(i);
    row.draw |= kSecondDraw;
    again_.push_back(row);
  }
  std::vector<backend::SampledToken> redrawn = runner.draw_again(again_);
  for (std::size_t i = 0; i < refused_.size(); ++i) drawn[refused_[i]] = std::move(redrawn[i]);
}

bool ConstrainedDraws::is_refused(const Sequence& sequence, const backend::SampledToken& drawn) const {
  if (!sequence.constraint || !drawn.finite || drawn.token_id < 0 || drawn.token_id >= vocab_size_)
    return false;
  return !sequence.constraint->allows(drawn.token_id);
}

std::size_t ConstrainedDraws::mask_words() const { return (static_cast<std::size_t>(vocab_size_) + 63) / 64; }

std::span<std::uint64_t> ConstrainedDraws::mask(std::size_t index) {
  return std::span(masks_).subspan(index * mask_words(), mask_words());
}

}  // namespace parley::inference::engine
