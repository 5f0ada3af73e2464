#include "tests/fakes/toy_model.h"

#include <algorithm>
#include <map>
#include <set>

namespace parley::tests::fakes {
namespace {

std::int32_t block_at(const backend::StepPlan& plan, const backend::SequenceRows& rows, int index) {
  const int entry = rows.first_block + index;
  return plan.block_table.at(static_cast<std::size_t>(entry));
}

}  // namespace

ToyAnswer toy_answer(const ToyModel& model, const engine::Request& request, int capacity) {
  ToyAnswer answer;
  ToyState state;
  const auto constraint = request.constraint ? request.constraint->clone() : nullptr;
  std::vector<std::int32_t> tokens = request.prompt;
  std::size_t position = 0;
  for (;;) {
    for (; position < tokens.size(); ++position) {
      state = model.see(state, model.row(tokens[position], static_cast<int>(position), state));
    }
    std::map<std::int32_t, std::int32_t> counted;
    for (const std::int32_t id : tokens) ++counted[id];
    std::vector<backend::TokenCount> seen;
    seen.reserve(counted.size());
    for (const auto& [id, count] : counted) seen.push_back({id, count});
    backend::SampleRow how;
    how.temperature = request.sampling.temperature;
    how.repeat_penalty = request.sampling.repeat_penalty;
    how.seen = seen;
    how.seed = request.sampling.seed;
    how.draw = answer.tokens.size();
    backend::SampledToken drawn = model.draw(state, how);
    if (drawn.finite && constraint && !constraint->allows(drawn.token_id)) {
      std::vector<std::uint64_t> mask((static_cast<std::size_t>(model.vocab_size) + 63) / 64);
      constraint->fill_mask(mask);
      how.allowed = mask;
      how.draw |= std::uint64_t{1} << 63;
      drawn = model.draw(state, how);
    }
    if (!drawn.finite) return {answer.tokens, engine::StopReason::failed};
    if (std::count(request.stop_ids.begin(), request.stop_ids.end(), drawn.token_id) > 0) {
      return {answer.tokens, engine::StopReason::stop_token};
    }
    answer.tokens.push_back(drawn.token_id);
    tokens.push_back(drawn.token_id);
    if (constraint) constraint->accept(drawn.token_id);
    if (constraint && constraint->is_complete()) return {answer.tokens, engine::StopReason::stop_token};
    if (static_cast<int>(answer.tokens.size()) == request.max_tokens) return answer;
    if (static_cast<int>(tokens.size()) >= capacity) return {answer.tokens, engine::StopReason::context_end};
  }
}

ToyRunner::ToyRunner(const ToyModel& model, int num_blocks, int max_rows)
    : model_(model), num_blocks_(num_blocks), max_rows_(max_rows) {
  memory_.resize(static_cast<std::size_t>(num_blocks) * backend::kBlockTokens);
  for (std::size_t i = 0; i < memory_.size(); ++i)
    memory_[i].value = 0xdead0000 + i;  // rubbish, as in fresh memory
}

void ToyRunner::complain(const std::string& what) {
  if (error.empty()) error = "step " + std::to_string(num_steps) + ": " + what;
}

ToyRow& ToyRunner::row_at(const backend::StepPlan& plan, const backend::SequenceRows& rows, int position) {
  const std::int32_t block = block_at(plan, rows, position / backend::kBlockTokens);
  const int row = block * backend::kBlockTokens + position % backend::kBlockTokens;
  return memory_.at(static_cast<std::size_t>(row));
}

// All rows of the step are stored before any is read, as on a device that works through the batch stage by
// stage.
std::vector<backend::SampledToken> ToyRunner::run(const backend::StepPlan& plan,
                                                  const backend::SamplePlan& sampling) {
  ++num_steps;
  if (before_step) before_step(plan);
  check(plan, sampling);
  logits_.clear();
  for (const backend::SequenceRows& rows : plan.sequences) {
    ToyState state;
    for (int p = 0; p < rows.first_position; ++p) state = model_.see(state, row_at(plan, rows, p));
    for (int i = 0; i < rows.num_rows; ++i) {
      const int row = rows.first_row + i;
      const int position = rows.first_position + i;
      ToyRow& stored = row_at(plan, rows, position);
      stored = model_.row(plan.token_ids.at(static_cast<std::size_t>(row)), position, state);
      state = model_.see(state, stored);
      if (!std::binary_search(plan.logit_rows.begin(), plan.logit_rows.end(), row)) continue;
      logits_.push_back(state);
    }
  }
  return draw_again(sampling);
}

std::vector<backend::SampledToken> ToyRunner::draw_again(const backend::SamplePlan& sampling) {
  std::vector<backend::SampledToken> drawn;
  for (const backend::SampleRow& row : sampling) {
    drawn.push_back(model_.draw(logits_.at(static_cast<std::size_t>(row.logits_row)), row));
  }
  return drawn;
}

void ToyRunner::check(const backend::StepPlan& plan, const backend::SamplePlan& sampling) {
  const int num_rows = static_cast<int>(plan.token_ids.size());
  if (num_rows == 0) complain("an empty step");
  if (num_rows > max_rows_) complain(std::to_string(num_rows) + " rows");
  if (plan.logit_rows.size() != sampling.size()) complain("logit rows and sample rows differ");
  if (!std::is_sorted(plan.logit_rows.begin(), plan.logit_rows.end()))
    complain("logit rows are not ascending");
  int next_row = 0;
  std::set<std::int32_t> written;
  for (const backend::SequenceRows& rows : plan.sequences) {
    if (rows.first_row != next_row || rows.num_rows < 1) complain("rows are not covered once and in order");
    next_row += rows.num_rows;
    const int first = rows.first_position / backend::kBlockTokens;
    const int last = (rows.first_position + rows.num_rows - 1) / backend::kBlockTokens;
    for (int i = 0; i <= last; ++i) {
      const std::int32_t block = block_at(plan, rows, i);
      if (block < 0 || block >= num_blocks_) complain("block id out of range");
      if (i < first) continue;
      if (!written.insert(block).second) complain("two requests write block " + std::to_string(block));
      if (is_published && is_published(block)) complain("published block written: " + std::to_string(block));
    }
  }
  if (next_row != num_rows) complain("rows without a sequence");
  for (const std::int32_t id : plan.token_ids) {
    if (id < 0 || id >= model_.vocab_size) complain("token id out of range");
  }
}

}  // namespace parley::tests::fakes
