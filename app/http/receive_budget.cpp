#include "app/http/receive_budget.h"

#include <algorithm>
#include <utility>

namespace parley::app::http {

UnfinishedBytes::UnfinishedBytes(ReceiveBudgetPtr budget) : budget_(std::move(budget)) {}

UnfinishedBytes::~UnfinishedBytes() { budget_->held_bytes -= num_counted_; }

bool UnfinishedBytes::add(std::size_t num_bytes) {
  const std::size_t total = num_bytes_ + num_bytes;
  const std::size_t counted = total - std::min(total, budget_->uncounted_bytes);
  const std::size_t held = budget_->held_bytes - num_counted_ + counted;
  if (held > budget_->max_bytes) return false;
  budget_->held_bytes = held;
  num_bytes_ = total;
  num_counted_ = counted;
  return true;
}

}  // namespace parley::app::http
