#include "app/models/embedding_runner.h"

#include <stdexcept>
#include <utility>

namespace parley::app::models {

using inference::encoder::TokenIds;

EmbeddingRunner::EmbeddingRunner(std::unique_ptr<inference::encoder::Encoder> encoder, int dim)
    : encoder_(std::move(encoder)), dim_(static_cast<std::size_t>(dim)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { work_alone(stop); });
}

EmbeddingRunner::~EmbeddingRunner() {
  thread_.request_stop();
  const std::lock_guard compute(compute_);
  std::unique_lock lock(mutex_);
  is_ending_ = true;
  if (current_ != nullptr) current_->is_refused = true;
  current_ = pass_ = nullptr;
  for (auto* queue : {&urgent_, &waiting_}) {
    for (Job* job : *queue) job->is_refused = true;
    queue->clear();
  }
  changed_.notify_all();
  changed_.wait(lock, [this] { return num_callers_ == 0; });
}

std::vector<float> EmbeddingRunner::embed(std::span<const TokenIds> sequences, Urgency urgency) {
  if (sequences.empty()) return {};
  Job job;
  job.sequences = sequences;
  job.rows.resize(sequences.size() * dim_);
  std::unique_lock lock(mutex_);
  if (is_ending_) throw std::runtime_error("Parley is ending.");
  ++num_callers_;
  (urgency == Urgency::now ? urgent_ : waiting_).push_back(&job);
  if (wake_) wake_();
  changed_.notify_all();
  changed_.wait(lock, [&job] { return job.is_finished || job.is_refused; });
  --num_callers_;
  changed_.notify_all();
  if (job.is_refused) throw std::runtime_error("Parley is ending.");
  return std::move(job.rows);
}

void EmbeddingRunner::attach(std::function<void()> wake) {
  const std::scoped_lock lock(compute_, mutex_);  // the layer that runs on our own thread ends first
  wake_ = std::move(wake);
  is_attached_ = true;
  if (has_work()) wake_();
}

void EmbeddingRunner::detach() {
  const std::lock_guard lock(mutex_);
  wake_ = nullptr;
  is_attached_ = false;
  changed_.notify_all();
}

bool EmbeddingRunner::run(std::chrono::milliseconds slice) noexcept {
  const auto end = std::chrono::steady_clock::now() + slice;
  do {
    {
      const std::lock_guard lock(mutex_);
      if (!has_work()) return false;
    }
    const std::lock_guard compute(compute_);
    advance();
  } while (std::chrono::steady_clock::now() < end);
  return true;
}

void EmbeddingRunner::work_alone(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return !is_attached_ && has_work(); })) return;
    }
    const std::lock_guard compute(compute_);
    if (!is_attached()) advance();
  }
}

bool EmbeddingRunner::is_attached() const {
  const std::lock_guard lock(mutex_);
  return is_attached_;
}

void EmbeddingRunner::advance() {
  if (pass_ == nullptr) {
    begin_pass();
    if (pass_ == nullptr) return;
  }
  if (!encoder_->advance()) end_pass();
}

void EmbeddingRunner::begin_pass() {
  {
    const std::lock_guard lock(mutex_);
    auto& queue = urgent_.empty() ? waiting_ : urgent_;
    if (queue.empty()) return;
    current_ = pass_ = queue.front();
    queue.pop_front();
  }
  pass_size_ = encoder_->begin(pass_->sequences.subspan(pass_->done));
}

// A job that is longer than a pass goes back to the front of its line: a question may go in between.
void EmbeddingRunner::end_pass() {
  encoder_->finish(std::span(pass_->rows).subspan(pass_->done * dim_, pass_size_ * dim_));
  pass_->done += pass_size_;
  const std::lock_guard lock(mutex_);
  current_ = nullptr;
  Job* const job = std::exchange(pass_, nullptr);
  if (job->done == job->sequences.size()) {
    job->is_finished = true;
  } else {
    waiting_.push_front(job);
  }
  changed_.notify_all();
}

}  // namespace parley::app::models
