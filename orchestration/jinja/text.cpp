#include "orchestration/jinja/text.h"

#include <cassert>
#include <utility>

namespace parley::orchestration::jinja {

Text::Text(std::string bytes, Origin origin) : size_(bytes.size()) {
  if (bytes.empty()) return;
  storage_ = std::make_shared<Storage>();
  storage_->bytes = std::move(bytes);
  storage_->runs.push_back({0, size_, origin});
  storage_->frozen = true;
}

std::string_view Text::view() const {
  if (size_ == 0) return {};
  return std::string_view(storage_->bytes).substr(begin_, size_);
}

Text Text::substring(std::size_t begin, std::size_t end) const {
  assert(begin <= end && end <= size_);
  if (begin == end) return {};
  return Text(storage_, begin_ + begin, end - begin);
}

std::size_t Text::num_runs() const {
  return size_ == 0 ? 0 : storage_->run_at(begin_ + size_ - 1) - storage_->run_at(begin_) + 1;
}

bool Text::takes_behind(const Text& right) const {
  if (empty() || right.empty()) return true;
  const bool is_open = !storage_->frozen && begin_ + size_ == storage_->bytes.size();
  return is_open && storage_ != right.storage_;
}

Text Text::concatenate(const Text& left, const Text& right) {
  if (right.empty()) return left;
  if (left.empty()) return right;
  if (left.takes_behind(right)) {
    left.storage_->append(right);
    return Text(left.storage_, left.begin_, left.size_ + right.size_);
  }
  TextBuilder builder;
  builder.append(left);
  builder.append(right);
  return builder.take();
}

void Text::Storage::append(std::string_view more, Origin origin) {
  if (more.empty()) return;
  const std::size_t begin = bytes.size();
  bytes.append(more);
  if (!runs.empty() && runs.back().origin == origin) {
    runs.back().end = bytes.size();
  } else {
    runs.push_back({begin, bytes.size(), origin});
  }
}

void Text::Storage::append(const Text& text) {
  assert(text.storage_.get() != this);
  text.for_each_run([this](std::string_view piece, Origin origin) { append(piece, origin); });
}

std::size_t Text::Storage::run_at(std::size_t position) const {
  const auto after =
      std::upper_bound(runs.begin(), runs.end(), position,
                       [](std::size_t wanted, const OriginRun& run) { return wanted < run.begin; });
  return static_cast<std::size_t>(after - runs.begin()) - 1;
}

Text TextBuilder::take() {
  const std::size_t size = storage_->bytes.size();
  return Text(std::move(storage_), 0, size);
}

std::pair<std::string, std::vector<OriginRun>> TextBuilder::release() {
  return {std::move(storage_->bytes), std::move(storage_->runs)};
}

}  // namespace parley::orchestration::jinja
