#pragma once
// What may be spent on a schema, or on those of some tools together: time, and memory of what is made of it.
// One thread. Once it is over it stays so and says why; whoever works on the schema then comes to an end,
// with whatever there is.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "inference/grammar/schema_options.h"

namespace parley::inference::grammar {

// Of a text that is read in one step.
inline constexpr std::size_t kBytesPerStep = 16;

class SchemaBudget {
 public:
  // `subject` begins the sentences that say what is over.
  explicit SchemaBudget(const SchemaOptions& options, std::string subject = "The schema");

  // Counts steps of some hundred nanoseconds at most each: a schema, a member, a value that is looked at.
  // False: over.
  bool spend(std::size_t steps) {
    num_steps_ += steps;
    return num_steps_ < next_look_ ? !is_over() : has_time();
  }
  // Looks at the clock: beside what takes long by itself.
  bool has_time();
  // Counts bytes of what is kept.
  bool take(std::size_t bytes);
  // Only the first one counts.
  void fail(std::string error);

  bool is_over() const { return error_.has_value(); }
  const std::optional<std::string>& error() const { return error_; }
  std::size_t num_steps() const { return num_steps_; }

 private:
  std::string subject_;
  std::chrono::milliseconds max_time_;
  std::chrono::steady_clock::time_point deadline_;
  std::size_t max_memory_;
  std::size_t memory_ = 0;
  std::size_t num_steps_ = 0;
  std::size_t next_look_ = 0;  // at the clock
  std::optional<std::string> error_;
};

}  // namespace parley::inference::grammar
