#include "inference/grammar/code_point_set.h"

#include <algorithm>
#include <utility>

namespace parley::inference::grammar {
namespace {

constexpr char32_t kLast = 0x10FFFF;
constexpr CodePointRange kSurrogates = {0xD800, 0xDFFF};

}  // namespace

CodePointSet::CodePointSet(std::initializer_list<CodePointRange> ranges) : ranges_(ranges) { normalize(); }

CodePointSet::CodePointSet(std::vector<CodePointRange> ranges) : ranges_(std::move(ranges)) { normalize(); }

CodePointSet CodePointSet::all() { return {{0, kLast}}; }

void CodePointSet::add(const CodePointSet& other) {
  ranges_.insert(ranges_.end(), other.ranges_.begin(), other.ranges_.end());
  normalize();
}

CodePointSet CodePointSet::complement() const {
  CodePointSet out;
  char32_t next = 0;
  for (const CodePointRange& range : ranges_) {
    if (range.first > next) out.ranges_.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLast) out.ranges_.push_back({next, kLast});
  out.normalize();
  return out;
}

bool CodePointSet::contains(CodePointRange range) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const CodePointRange& own) {
    return own.first <= range.first && range.last <= own.last;
  });
}

void CodePointSet::normalize() {
  std::vector<CodePointRange> cut;
  for (const CodePointRange& range : ranges_) {
    const CodePointRange below{range.first, std::min<char32_t>(range.last, kSurrogates.first - 1)};
    const CodePointRange above{std::max<char32_t>(range.first, kSurrogates.last + 1),
                               std::min(range.last, kLast)};
    if (below.first <= below.last) cut.push_back(below);
    if (above.first <= above.last) cut.push_back(above);
  }
  std::sort(cut.begin(), cut.end(),
            [](const CodePointRange& a, const CodePointRange& b) { return a.first < b.first; });
  ranges_.clear();
  for (const CodePointRange& range : cut) {
    if (!ranges_.empty() && range.first <= ranges_.back().last + 1) {
      ranges_.back().last = std::max(ranges_.back().last, range.last);
    } else {
      ranges_.push_back(range);
    }
  }
}

CodePointSet intersect(const CodePointSet& a, const CodePointSet& b) {
  CodePointSet out = a.complement();
  out.add(b.complement());
  return out.complement();
}

}  // namespace parley::inference::grammar
