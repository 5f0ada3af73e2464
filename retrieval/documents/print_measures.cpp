#include <algorithm>
#include <cmath>
#include <map>

#include "retrieval/documents/page_blocks.h"

namespace parley::retrieval::documents {
namespace {

constexpr float kHeadingRatio = 1.12F;  // to the body's size; captions and the like differ less
constexpr std::size_t kMaxHeadingSizes = 6;
constexpr std::size_t kLongHeading = 200;  // bytes: more is a paragraph in large print

float rounded_size(float size) { return std::round(size * 2) / 2; }

}  // namespace

PrintMeasures measure_print(const std::vector<LaidOutPage>& pages) {
  std::map<float, std::size_t> bytes_by_size;
  std::size_t bold_bytes = 0, all_bytes = 0;
  std::vector<float> pitches;
  for (const LaidOutPage& page : pages) {
    for (const PageRegion& region : page.regions) {
      for (std::size_t index = 0; index < region.lines.size(); ++index) {
        const PageLine& line = region.lines[index];
        const std::size_t bytes = line.text().size();
        bytes_by_size[rounded_size(line.size)] += bytes;
        all_bytes += bytes;
        bold_bytes += line.is_bold ? bytes : 0;
        const bool follows = index > 0 && region.lines[index - 1].size == line.size && line.size > 0;
        const float pitch = follows ? (line.box.top - region.lines[index - 1].box.top) / line.size : 0;
        if (pitch > 0.8F && pitch < 2.5F) {
          pitches.push_back(pitch);
        }
      }
    }
  }
  PrintMeasures measures;
  const auto most = std::max_element(bytes_by_size.begin(), bytes_by_size.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != bytes_by_size.end()) {
    measures.body_size = std::max(most->first, 1.0F);
  }
  measures.has_bold_body = bold_bytes * 2 > all_bytes;
  if (!pitches.empty()) {  // lines of paragraphs stand closer than anything else
    const auto quarter = pitches.begin() + static_cast<std::ptrdiff_t>(pitches.size() / 4);
    std::nth_element(pitches.begin(), quarter, pitches.end());
    measures.line_pitch = *quarter;
  }
  for (auto entry = bytes_by_size.rbegin(); entry != bytes_by_size.rend(); ++entry) {
    const bool is_heading = entry->first >= kHeadingRatio * measures.body_size;
    if (is_heading && measures.heading_sizes.size() < kMaxHeadingSizes) {
      measures.heading_sizes.push_back(entry->first);
    }
  }
  return measures;
}

int heading_level(const PrintMeasures& measures, const PageBlock& block) {
  if (block.text.size() > kLongHeading) {
    return 0;
  }
  const auto& sizes = measures.heading_sizes;
  if (block.size >= kHeadingRatio * measures.body_size) {
    const auto place = std::find(sizes.begin(), sizes.end(), rounded_size(block.size));
    return static_cast<int>(place - sizes.begin()) + 1;
  }
  constexpr std::size_t kLongBoldHeading = 100;
  const bool ends_sentence =
      block.text.ends_with('.') || block.text.ends_with(',') || block.text.ends_with(';');
  if (block.is_bold && !measures.has_bold_body && !ends_sentence && block.text.size() <= kLongBoldHeading &&
      block.size > 0.95F * measures.body_size) {
    return static_cast<int>(sizes.size()) + 1;
  }
  return 0;
}

}  // namespace parley::retrieval::documents
