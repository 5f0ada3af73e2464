#include "inference/grammar/schema_budget.h"

#include <utility>

namespace parley::inference::grammar {
namespace {

constexpr std::size_t kStepsBetweenLooks = 256;

}  // namespace

SchemaBudget::SchemaBudget(const SchemaOptions& options, std::string subject)
    : subject_(std::move(subject)),
      max_time_(options.max_time),
      deadline_(std::chrono::steady_clock::now() + options.max_time),
      max_memory_(options.max_memory) {}

bool SchemaBudget::has_time() {
  next_look_ = num_steps_ + kStepsBetweenLooks;
  if (!is_over() && std::chrono::steady_clock::now() > deadline_) {
    fail(subject_ + " takes more than " + std::to_string(max_time_.count()) + " ms to compile.");
  }
  return !is_over();
}

bool SchemaBudget::take(std::size_t bytes) {
  memory_ += bytes;
  if (memory_ > max_memory_) {
    fail(subject_ + " is too large: what is made of it takes more than " + std::to_string(max_memory_ >> 20) +
         " MiB.");
  }
  return !is_over();
}

void SchemaBudget::fail(std::string error) {
  if (!error_) error_ = std::move(error);
}

}  // namespace parley::inference::grammar
