#pragma once
// A model over a backend, fed by hand: keeps positions and KV blocks of each sequence as an engine would,
// with blocks given out in scrambled order so that a wrong block table shows. One thread; throws what loading
// throws.

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "inference/backend/backend.h"
#include "inference/formats/gguf.h"
#include "inference/model/model_config.h"
#include "inference/model/transformer.h"

namespace parley::tests::fakes {

using BackendFactory =
    std::function<std::unique_ptr<inference::backend::Backend>(const inference::backend::BackendOptions&)>;

class ModelRun {
 public:
  // The next tokens of a sequence. Sequences are numbers of the test's choice.
  struct Feed {
    int sequence = 0;
    std::span<const std::int32_t> ids;
  };
  using Logits = std::vector<std::vector<float>>;  // [row][vocab]

  ModelRun(const std::filesystem::path& model, const BackendFactory& make_backend,
           inference::backend::BackendOptions options)
      : file_(inference::formats::open_gguf(model)), num_blocks_(options.num_blocks) {
    options.shape = inference::model::read_model_config(*file_).shape;
    backend_ = make_backend(options);
    transformer_ = inference::model::make_transformer(*file_, *backend_, {});
  }

  // One step; logits of every row.
  Logits step(const std::vector<Feed>& feeds) {
    inference::backend::StepPlan plan;
    for (const Feed& feed : feeds) add(feed, plan);
    const auto num_rows = static_cast<int>(plan.token_ids.size());
    for (int row = 0; row < num_rows; ++row) plan.logit_rows.push_back(row);
    transformer_->forward(plan, {});
    Logits logits;
    for (int row = 0; row < num_rows; ++row) logits.push_back(backend_->read_logits(row));
    return logits;
  }

  // The whole of one new sequence in steps of at most `chunk` rows.
  Logits run(int sequence, std::span<const std::int32_t> ids, std::size_t chunk) {
    Logits logits;
    while (!ids.empty()) {
      const auto part = ids.first(std::min(chunk, ids.size()));
      for (auto& row : step({{sequence, part}})) logits.push_back(std::move(row));
      ids = ids.subspan(part.size());
    }
    return logits;
  }

  inference::backend::Backend& backend() { return *backend_; }
  inference::model::Transformer& transformer() { return *transformer_; }

 private:
  struct Sequence {
    std::int32_t num_tokens = 0;
    std::vector<std::int32_t> blocks;
  };

  void add(const Feed& feed, inference::backend::StepPlan& plan) {
    Sequence& sequence = sequences_[feed.sequence];
    const auto count = static_cast<std::int32_t>(feed.ids.size());
    plan.sequences.push_back({.first_row = static_cast<std::int32_t>(plan.token_ids.size()),
                              .num_rows = count,
                              .first_position = sequence.num_tokens,
                              .first_block = static_cast<std::int32_t>(plan.block_table.size())});
    sequence.num_tokens += count;
    while (static_cast<std::int32_t>(sequence.blocks.size()) * inference::backend::kBlockTokens <
           sequence.num_tokens) {
      sequence.blocks.push_back(next_block());
    }
    plan.token_ids.insert(plan.token_ids.end(), feed.ids.begin(), feed.ids.end());
    plan.block_table.insert(plan.block_table.end(), sequence.blocks.begin(), sequence.blocks.end());
  }

  // Even ids downwards, then odd ones: neighbours in a sequence are never neighbours in memory.
  std::int32_t next_block() {
    assert(blocks_used_ < num_blocks_);
    const int evens = (num_blocks_ + 1) / 2;
    const int i = blocks_used_++;
    return i < evens ? 2 * (evens - 1 - i) : 2 * (i - evens) + 1;
  }

  std::unique_ptr<inference::formats::GgufFile> file_;
  std::unique_ptr<inference::backend::Backend> backend_;
  std::unique_ptr<inference::model::Transformer> transformer_;
  std::map<int, Sequence> sequences_;
  int num_blocks_;
  int blocks_used_ = 0;
};

}  // namespace parley::tests::fakes
