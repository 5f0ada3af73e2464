#pragma once
// Runs an encoder for whoever needs vectors: on the engine's thread between its steps while an engine is
// there, on a thread of its own before and without. Questions go before passages.
//
// `embed` may be called from any thread and blocks; the SideWork methods belong to the engine. What is
// waiting when this is destroyed is refused by an exception.

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "inference/encoder/encoder.h"
#include "inference/engine/side_work.h"

namespace parley::app::models {

class EmbeddingRunner final : public inference::engine::SideWork {
 public:
  enum class Urgency { now, in_turn };  // a question somebody waits for; passages of documents

  // `dim` values a sequence.
  EmbeddingRunner(std::unique_ptr<inference::encoder::Encoder> encoder, int dim);
  ~EmbeddingRunner() override;

  // [sequences, dim] f32. Throws std::runtime_error when the program is ending.
  std::vector<float> embed(std::span<const inference::encoder::TokenIds> sequences, Urgency urgency);

  void attach(std::function<void()> wake) override;
  bool run(std::chrono::milliseconds slice) noexcept override;
  void detach() override;

 private:
  struct Job {
    std::span<const inference::encoder::TokenIds> sequences;  // of the caller, who waits
    std::vector<float> rows;
    std::size_t done = 0;  // sequences
    bool is_finished = false;
    bool is_refused = false;
  };

  void work_alone(const std::stop_token& stop);
  bool has_work() const { return !urgent_.empty() || !waiting_.empty() || current_ != nullptr; }
  bool is_attached() const;
  // A layer of the pass that runs, or the beginning of the next one. Under compute_.
  void advance();
  void begin_pass();
  void end_pass();

  const std::unique_ptr<inference::encoder::Encoder> encoder_;
  const std::size_t dim_;

  std::mutex compute_;   // held around each layer; before mutex_ where both are
  Job* pass_ = nullptr;  // whose pass runs; under compute_
  std::size_t pass_size_ = 0;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable_any changed_;
  std::deque<Job*> urgent_, waiting_;
  Job* current_ = nullptr;  // as pass_
  std::function<void()> wake_;
  bool is_attached_ = false;
  int num_callers_ = 0;  // in embed
  bool is_ending_ = false;

  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace parley::app::models
