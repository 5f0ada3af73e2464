#include "retrieval/ingest/rate.h"

#include <algorithm>

namespace parley::retrieval::ingest {
namespace {

constexpr std::chrono::seconds kRateWindow{30};

}  // namespace

void Rate::forget(Clock::time_point now) {
  while (!ends_.empty() && now - ends_.front() > kRateWindow) ends_.pop_front();
  if (ends_.empty()) begin_.reset();
}

void Rate::count(Clock::time_point now) {
  forget(now);
  if (!begin_) begin_ = now;
  ends_.push_back(now);
}

double Rate::per_second(Clock::time_point now) {
  forget(now);
  if (!begin_) return 0;
  const std::chrono::duration<double> window = std::min<Clock::duration>(now - *begin_, kRateWindow);
  return window.count() < 1 ? 0 : static_cast<double>(ends_.size()) / window.count();
}

}  // namespace parley::retrieval::ingest
