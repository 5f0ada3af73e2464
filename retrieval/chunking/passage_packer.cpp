#include "retrieval/chunking/passage_packer.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace parley::retrieval::chunking {
namespace {

using documents::Box;

bool is_known(const Box& box) { return box.left != 0 || box.top != 0 || box.right != 0 || box.bottom != 0; }

Box around(const Box& a, const Box& b) {
  if (!is_known(a) || !is_known(b)) {
    return is_known(a) ? a : b;
  }
  return {.left = std::min(a.left, b.left),
          .top = std::min(a.top, b.top),
          .right = std::max(a.right, b.right),
          .bottom = std::max(a.bottom, b.bottom)};
}

// What a break is worth `distance` tokens from where it is wanted: 30 % of its score at the window's edge.
double worth(int score, int distance, int window) {
  const double part = std::min(1.0, static_cast<double>(distance) / window);
  return score * (1.0 - 0.7 * part * part);
}

}  // namespace

void PassagePacker::add(const Unit& unit) {
  units_.push_back(unit);
  totals_.push_back((totals_.empty() ? 0 : totals_.back()) + unit.cost);
  while (cost(units_.size()) > 2 * options_.target_tokens && units_.size() > num_repeated_ + 1) {
    make_chunk();
  }
}

void PassagePacker::finish_section() {
  while (units_.size() > num_repeated_) {
    make_chunk();
  }
  drop(units_.size());
}

int PassagePacker::cost(std::size_t count) const {
  if (count == 0) {
    return 0;
  }
  const std::int64_t sum = totals_[count - 1] - totals_[0] + units_[0].cost;
  const auto bytes = units_[count - 1].range.end - units_[0].range.begin;
  return static_cast<int>(std::max<std::int64_t>(sum, static_cast<std::int64_t>(bytes / kMaxBytesPerToken)) +
                          units_[0].header_cost);
}

// At least one unit that is not in the passage before.
std::size_t PassagePacker::most_that_fit(int limit) const {
  std::size_t count = units_.size();
  while (count > num_repeated_ + 1 && cost(count) > limit) {
    --count;
  }
  return count;
}

std::size_t PassagePacker::best_border(std::size_t most) const {
  const int target = options_.target_tokens;
  const int total = cost(units_.size());
  // What is left for two passages is halved: a short rest would be found badly.
  const int wanted = total <= 2 * target ? (total + 1) / 2 : target;
  const int window = std::max(1, target / 2);
  std::size_t best = most;
  double best_worth = -1;
  for (std::size_t count = num_repeated_ + 1; count <= most; ++count) {
    const int size = cost(count);
    if (size < std::max(wanted - window, target / 4)) {
      continue;
    }
    const double here = worth(units_[count].break_score, std::abs(wanted - size), window);
    if (here >= best_worth) {
      best = count;
      best_worth = here;
    }
  }
  return best;
}

void PassagePacker::make_chunk() {
  if (num_repeated_ > 0 && cost(num_repeated_ + 1) > options_.target_tokens) {
    drop(num_repeated_);  // no room for both
  }
  std::size_t count = most_that_fit(options_.target_tokens);
  const bool only_headings = std::all_of(units_.begin(), units_.begin() + static_cast<std::ptrdiff_t>(count),
                                         [](const Unit& unit) { return unit.is_heading; });
  if (only_headings && count < units_.size()) {
    count = most_that_fit(options_.max_tokens);  // rather a longer passage than a heading by itself
  } else if (count < units_.size()) {
    count = best_border(count);
  }
  append_chunk(count);
  const std::size_t repeated = overlap_before(count);
  drop(count - repeated);
  num_repeated_ = repeated;
}

// Takes fewer than `count` units where the whole has more tokens than its parts had.
void PassagePacker::append_chunk(std::size_t& count) {
  const bool has_header = units_[0].header_cost > 0;
  std::string text = text_of(count, has_header);
  int num_tokens = counter_.count(text);
  while (num_tokens > options_.max_tokens && count > num_repeated_ + 1) {
    const auto fitting = static_cast<std::int64_t>(cost(count)) * options_.max_tokens / num_tokens;
    count = std::min(count - 1, most_that_fit(static_cast<int>(fitting)));
    text = text_of(count, has_header);
    num_tokens = counter_.count(text);
  }
  if (num_tokens > options_.max_tokens && num_repeated_ > 0) {
    drop(num_repeated_);
    count = 1;
    text = text_of(count, has_header);
    num_tokens = counter_.count(text);
  }
  if (num_tokens > options_.max_tokens && has_header) {
    text = text_of(count, false);
    num_tokens = counter_.count(text);
  }
  Chunk chunk;
  chunk.range = {.begin = units_[0].range.begin, .end = units_[count - 1].range.end};
  chunk.heading_path = heading_path_;
  chunk.text = std::move(text);
  chunk.num_tokens = num_tokens;
  chunk.page = units_[0].page;
  for (std::size_t at = 0; at < count && units_[at].page == chunk.page; ++at) {
    chunk.box = around(chunk.box, units_[at].box);
  }
  chunks_.push_back(std::move(chunk));
}

std::string PassagePacker::text_of(std::size_t count, bool with_header) const {
  const auto begin = units_[0].range.begin;
  const std::string_view range = text_.substr(begin, units_[count - 1].range.end - begin);
  std::string text;
  if (with_header) {
    const documents::ByteRange header = units_[0].header;
    text.append(text_.substr(header.begin, header.end - header.begin)).append("\n");
  }
  text.append(range);
  return text;
}

void PassagePacker::drop(std::size_t count) {
  units_.erase(units_.begin(), units_.begin() + static_cast<std::ptrdiff_t>(count));
  totals_.erase(totals_.begin(), totals_.begin() + static_cast<std::ptrdiff_t>(count));
  num_repeated_ -= std::min(num_repeated_, count);
}

// How many units before the border the next passage repeats: whole sentences of the block that was cut, a
// quarter of a passage at most, and never its first unit, so that begins ascend.
std::size_t PassagePacker::overlap_before(std::size_t border) const {
  if (border >= units_.size() || !units_[border].is_sentence) {
    return 0;
  }
  std::size_t repeated = 0;
  int tokens = 0;
  while (static_cast<int>(repeated) < options_.overlap_sentences && border - repeated > 1) {
    const Unit& unit = units_[border - repeated - 1];
    tokens += unit.cost;
    if (!unit.is_sentence || unit.block != units_[border].block || tokens > options_.target_tokens / 4) {
      break;
    }
    ++repeated;
  }
  return repeated;
}

}  // namespace parley::retrieval::chunking
