#include "retrieval/documents/page_columns.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace parley::retrieval::documents {
namespace {

constexpr int kMaxCuts = 16;              // of one inside the other
constexpr std::size_t kFewWords = 12;     // too few to be columns
constexpr float kMinWidth = 120;          // of what may hold two columns, in points
constexpr float kEdgeShare = 0.12F;       // of the width, at either side: no gutter there
constexpr float kMaxCrossedShare = 0.3F;  // of the height: lines that run across the gutter, as titles do
constexpr int kMinRows = 3;               // of each column
constexpr float kMinRowBytes = 12;        // columns of text, not of a table
constexpr float kMinFilledShare = 0.5F;   // of a column's width that its rows take on average

struct Gutter {
  float left = 0, right = 0;
  float middle() const { return (left + right) / 2; }
};

struct ColumnGroup {
  WordGroup words;
  bool is_column = false;  // cut out by a gutter; those that are not flow on into each other
};

float middle_y(const PageWord& word) { return (word.box.top + word.box.bottom) / 2; }
bool higher(const PageWord* a, const PageWord* b) { return a->box.top < b->box.top; }

Box group_box(const WordGroup& words) {
  Box box;
  for (const PageWord* word : words) {
    extend_box(box, word->box);
  }
  return box;
}

float median_size(const WordGroup& words) {
  std::vector<float> sizes;
  for (const PageWord* word : words) {
    sizes.push_back(word->size);
  }
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
  return sizes[sizes.size() / 2];
}

// Rows of a column side: by height, each begins below the middle of the one before.
bool reads_as_column(WordGroup words, float left, float right) {
  std::sort(words.begin(), words.end(), higher);
  int num_rows = 0;
  float num_bytes = 0, monospaced_bytes = 0, filled = 0, row_middle = 0;
  bool has_row = false;
  for (const PageWord* word : words) {
    if (!has_row || word->box.top > row_middle) {
      ++num_rows;
      row_middle = middle_y(*word);
      has_row = true;
    }
    num_bytes += static_cast<float>(word->text.size()) + 1;
    monospaced_bytes += word->is_monospaced ? static_cast<float>(word->text.size()) + 1 : 0;
    filled += word->box.right - word->box.left;
  }
  const auto rows = static_cast<float>(num_rows);
  // Words alone fill less than their rows, by the spaces between them.
  const bool is_code = monospaced_bytes * 2 > num_bytes;  // what is aligned in it is no column
  return num_rows >= kMinRows && !is_code && num_bytes >= kMinRowBytes * rows &&
         filled * 1.2F >= kMinFilledShare * rows * (right - left);
}

class ColumnCutter {
 public:
  static std::vector<ColumnGroup> cut(WordGroup words, int depth) {
    if (depth < kMaxCuts && words.size() >= kFewWords) {
      if (const std::optional<Gutter> gutter = find_gutter(words)) {
        return cut_at_gutter(words, *gutter, depth);
      }
      if (const std::optional<float> y = widest_gap(words)) {
        return cut_across(words, *y, depth);
      }
    }
    std::vector<ColumnGroup> groups(1);
    groups.front().words = std::move(words);
    return groups;
  }

 private:
  // How much of each stretch of the width is covered by words, in heights of words.
  static std::vector<float> coverage(const WordGroup& words, const Box& box, float bin_width) {
    std::vector<float> steps(static_cast<std::size_t>((box.right - box.left) / bin_width) + 2, 0);
    const auto bin = [&](float x) {
      const auto index = static_cast<std::size_t>(std::max(0.0F, (x - box.left) / bin_width));
      return std::min(index, steps.size() - 1);
    };
    for (const PageWord* word : words) {
      const float height = word->box.bottom - word->box.top;
      steps[bin(word->box.left)] += height;
      steps[std::min(bin(word->box.right) + 1, steps.size() - 1)] -= height;
    }
    for (std::size_t index = 1; index < steps.size(); ++index) {
      steps[index] += steps[index - 1];
    }
    return steps;
  }

  static float covered_height(WordGroup words) {
    std::sort(words.begin(), words.end(), higher);
    float height = 0, bottom = words.front()->box.top;
    for (const PageWord* word : words) {
      height += std::max(0.0F, word->box.bottom - std::max(bottom, word->box.top));
      bottom = std::max(bottom, word->box.bottom);
    }
    return height;
  }

  static std::optional<Gutter> find_gutter(const WordGroup& words) {
    const Box box = group_box(words);
    const float width = box.right - box.left;
    if (width < kMinWidth) {
      return std::nullopt;
    }
    const float bin_width = std::max(1.0F, width / 4000);
    const std::vector<float> covered = coverage(words, box, bin_width);
    const float min_gutter = std::max(6.0F, 0.8F * median_size(words));
    const float height = covered_height(words);
    // Clear white space first; then white space that some lines run across.
    for (const float allowed : {0.5F, kMaxCrossedShare * height}) {
      for (const Gutter& gutter : free_stretches(covered, allowed, box, bin_width)) {
        if (gutter.right - gutter.left >= min_gutter && parts_columns(words, gutter, box)) {
          return gutter;
        }
      }
    }
    return std::nullopt;
  }

  // Widest first.
  static std::vector<Gutter> free_stretches(const std::vector<float>& covered, float allowed, const Box& box,
                                            float bin_width) {
    const auto margin = static_cast<std::size_t>(kEdgeShare * static_cast<float>(covered.size()));
    std::vector<Gutter> found;
    for (std::size_t begin = margin; begin + margin < covered.size(); ++begin) {
      if (covered[begin] > allowed) {
        continue;
      }
      std::size_t end = begin;
      while (end + margin < covered.size() && covered[end] <= allowed) {
        ++end;
      }
      found.push_back(
          {box.left + static_cast<float>(begin) * bin_width, box.left + static_cast<float>(end) * bin_width});
      begin = end;
    }
    std::sort(found.begin(), found.end(),
              [](const Gutter& a, const Gutter& b) { return a.right - a.left > b.right - b.left; });
    found.resize(std::min<std::size_t>(found.size(), 8));
    return found;
  }

  static bool crosses(const PageWord& word, const Gutter& gutter) {
    return word.box.left < gutter.middle() && word.box.right > gutter.middle();
  }

  static bool parts_columns(const WordGroup& words, const Gutter& gutter, const Box& box) {
    const std::vector<Box> bands = crossing_bands(words, gutter);
    WordGroup left, right;
    for (const PageWord* word : words) {
      if (band_of(bands, *word) == bands.size()) {
        (word->box.right <= gutter.middle() ? left : right).push_back(word);
      }
    }
    return reads_as_column(std::move(left), box.left, gutter.left) &&
           reads_as_column(std::move(right), gutter.right, box.right);
  }

  // Heights at which words run across the gutter; ascending, apart from each other.
  static std::vector<Box> crossing_bands(const WordGroup& words, const Gutter& gutter) {
    WordGroup crossing;
    std::copy_if(words.begin(), words.end(), std::back_inserter(crossing), [&](const PageWord* word) {
      return crosses(*word, gutter) ||
             (word->box.left < gutter.right - 1 && word->box.right > gutter.left + 1);
    });
    std::sort(crossing.begin(), crossing.end(), higher);
    std::vector<Box> bands;
    for (const PageWord* word : crossing) {
      if (bands.empty() || word->box.top > bands.back().bottom) {
        bands.push_back(word->box);
      } else {
        bands.back().bottom = std::max(bands.back().bottom, word->box.bottom);
      }
    }
    return bands;
  }

  // bands.size(): in none.
  static std::size_t band_of(const std::vector<Box>& bands, const PageWord& word) {
    const float y = middle_y(word);
    const auto found = std::upper_bound(bands.begin(), bands.end(), y,
                                        [](float value, const Box& band) { return value < band.top; });
    if (found == bands.begin() || y > std::prev(found)->bottom) {
      return bands.size();
    }
    return static_cast<std::size_t>(std::prev(found) - bands.begin());
  }

  static std::vector<ColumnGroup> cut_at_gutter(const WordGroup& words, const Gutter& gutter, int depth) {
    const std::vector<Box> bands = crossing_bands(words, gutter);
    // Between two bands stand two columns: left_of[i] and right_of[i] in front of band i.
    std::vector<WordGroup> left_of(bands.size() + 1), right_of(bands.size() + 1), inside(bands.size() + 1);
    for (const PageWord* word : words) {
      const std::size_t band = band_of(bands, *word);
      if (band < bands.size()) {
        inside[band].push_back(word);
        continue;
      }
      const auto next = std::upper_bound(bands.begin(), bands.end(), middle_y(*word),
                                         [](float y, const Box& box) { return y < box.top; });
      const auto place = static_cast<std::size_t>(next - bands.begin());
      (word->box.right <= gutter.middle() ? left_of : right_of)[place].push_back(word);
    }
    std::vector<ColumnGroup> groups;
    for (std::size_t index = 0; index <= bands.size(); ++index) {
      append_column(std::move(left_of[index]), depth, groups);
      append_column(std::move(right_of[index]), depth, groups);
      if (!inside[index].empty()) {
        std::vector<ColumnGroup> band(1);
        band.front().words = std::move(inside[index]);
        append(std::move(band), groups);
      }
    }
    return groups;
  }

  static void append_column(WordGroup words, int depth, std::vector<ColumnGroup>& groups) {
    if (words.empty()) {
      return;
    }
    std::vector<ColumnGroup> column = cut(std::move(words), depth + 1);
    for (ColumnGroup& group : column) {
      group.is_column = true;
    }
    std::move(column.begin(), column.end(), std::back_inserter(groups));
  }

  static void append(std::vector<ColumnGroup> more, std::vector<ColumnGroup>& groups) {
    auto next = more.begin();
    if (!groups.empty() && !groups.back().is_column && !next->is_column) {
      groups.back().words.insert(groups.back().words.end(), next->words.begin(), next->words.end());
      ++next;
    }
    std::move(next, more.end(), std::back_inserter(groups));
  }

  // The middle of the widest stretch of height without words.
  static std::optional<float> widest_gap(WordGroup words) {
    const float min_gap = 0.4F * median_size(words);
    std::sort(words.begin(), words.end(), higher);
    float widest = min_gap, bottom = words.front()->box.bottom;
    std::optional<float> found;
    for (const PageWord* word : words) {
      if (word->box.top - bottom > widest) {
        widest = word->box.top - bottom;
        found = (word->box.top + bottom) / 2;
      }
      bottom = std::max(bottom, word->box.bottom);
    }
    return found;
  }

  static std::vector<ColumnGroup> cut_across(const WordGroup& words, float y, int depth) {
    WordGroup upper, lower;
    for (const PageWord* word : words) {
      (word->box.top < y ? upper : lower).push_back(word);
    }
    std::vector<ColumnGroup> groups = cut(std::move(upper), depth + 1);
    append(cut(std::move(lower), depth + 1), groups);
    return groups;
  }
};

}  // namespace

std::vector<WordGroup> cut_into_columns(const std::vector<PageWord>& words) {
  WordGroup all;
  for (const PageWord& word : words) {
    all.push_back(&word);
  }
  std::vector<WordGroup> groups;
  if (!all.empty()) {
    for (ColumnGroup& group : ColumnCutter::cut(std::move(all), 0)) {
      groups.push_back(std::move(group.words));
    }
  }
  return groups;
}

}  // namespace parley::retrieval::documents
