#include "retrieval/documents/page_layout.h"

#include <algorithm>
#include <map>

#include "retrieval/documents/page_columns.h"
#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {
namespace {

constexpr float kWideGap = 1.0F;      // in font sizes: more is no space between words of a sentence
constexpr float kWordGap = 0.1F;      // less, and without a space in the file: parts of one word
constexpr std::size_t kRowsBack = 4;  // how far a word may stand out of order

float shared_height(const Box& a, const Box& b) {
  const float smaller = std::min(a.bottom - a.top, b.bottom - b.top);
  return smaller <= 0 ? 0 : (std::min(a.bottom, b.bottom) - std::max(a.top, b.top)) / smaller;
}

bool is_right_to_left(const WordGroup& words) {
  int right_to_left = 0, others = 0;
  for (const PageWord* word : words) {
    for (std::size_t at = 0; at < word->text.size();) {
      const char32_t c = take_code_point(word->text, at);
      const bool is_rtl =
          (c >= 0x590 && c < 0x900) || (c >= 0xFB1D && c < 0xFE00) || (c >= 0xFE70 && c < 0xFF00);
      right_to_left += is_rtl ? 1 : 0;
      others += !is_rtl && c > '9' ? 1 : 0;
    }
  }
  return right_to_left > others;
}

bool is_leader(std::string_view text) {  // of dots, between a heading and its page in a table of contents
  return text.find_first_not_of('.') == std::string_view::npos;
}

void append_word(const PageWord& word, bool has_space, std::string& text) {
  if (is_leader(word.text) && (word.text.size() > 3 || text.ends_with(" .") || text.ends_with(" \u2026"))) {
    if (text.ends_with(" .")) {
      text.pop_back();
      text += "\u2026";
    } else if (!text.ends_with("\u2026")) {
      text += " \u2026";
    }
    return;
  }
  text += has_space && !text.empty() ? " " : "";
  text += word.text;
}

PageLine make_line(WordGroup words) {
  const bool reads_leftwards = is_right_to_left(words);
  std::sort(words.begin(), words.end(), [&](const PageWord* a, const PageWord* b) {
    return reads_leftwards ? a->box.right > b->box.right : a->box.left < b->box.left;
  });
  PageLine line;
  line.is_bold = line.is_monospaced = true;
  std::map<float, std::size_t> bytes_by_size;
  const PageWord* before = nullptr;
  for (const PageWord* word : words) {
    float gap = 0;
    if (before != nullptr) {
      gap = reads_leftwards ? before->box.left - word->box.right : word->box.left - before->box.right;
    }
    const float size = std::max(word->size, 1.0F);
    if (before == nullptr || gap > kWideGap * size) {
      line.segments.push_back({"", word->box.left, word->box.right});
    }
    LineSegment& segment = line.segments.back();
    append_word(*word, before != nullptr && (gap > kWordGap * size || before->has_space_after), segment.text);
    segment.left = std::min(segment.left, word->box.left);
    segment.right = std::max(segment.right, word->box.right);
    extend_box(line.box, word->box);
    line.is_bold = line.is_bold && word->is_bold;
    line.is_monospaced = line.is_monospaced && word->is_monospaced;
    bytes_by_size[word->size] += word->text.size();
    before = word;
  }
  const auto most = std::max_element(bytes_by_size.begin(), bytes_by_size.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  line.size = most->first;
  return line;
}

std::vector<PageLine> make_lines(WordGroup words) {
  std::stable_sort(words.begin(), words.end(),
                   [](const PageWord* a, const PageWord* b) { return a->box.top < b->box.top; });
  struct Row {
    Box box;
    WordGroup words;
  };
  std::vector<Row> rows;
  for (const PageWord* word : words) {
    Row* best = nullptr;
    float most = 0.5F;
    for (std::size_t back = 0; back < std::min(kRowsBack, rows.size()); ++back) {
      Row& row = rows[rows.size() - 1 - back];
      if (const float shared = shared_height(row.box, word->box); shared > most) {
        most = shared;
        best = &row;
      }
    }
    if (best == nullptr) {
      rows.push_back({word->box, {}});
      best = &rows.back();
    }
    best->words.push_back(word);
    if (word->box.bottom - word->box.top > best->box.bottom - best->box.top) {
      best->box = word->box;  // the tallest word says where the row is; small raised ones follow it
    }
  }
  std::vector<PageLine> lines;
  lines.reserve(rows.size());
  for (Row& row : rows) {
    lines.push_back(make_line(std::move(row.words)));
  }
  std::stable_sort(lines.begin(), lines.end(), [](const PageLine& a, const PageLine& b) {
    return a.box.top + a.box.bottom < b.box.top + b.box.bottom;
  });
  return lines;
}

}  // namespace

std::string PageLine::text() const {
  std::string all;
  for (const LineSegment& segment : segments) {
    all += (all.empty() ? "" : " ") + segment.text;
  }
  return all;
}

void extend_box(Box& around, const Box& box) {
  if (around.left == 0 && around.right == 0 && around.top == 0 && around.bottom == 0) {
    around = box;
    return;
  }
  around.left = std::min(around.left, box.left);
  around.top = std::min(around.top, box.top);
  around.right = std::max(around.right, box.right);
  around.bottom = std::max(around.bottom, box.bottom);
}

std::vector<PageRegion> lay_out_page(const std::vector<PageWord>& words) {
  std::vector<PageRegion> regions;
  for (WordGroup& group : cut_into_columns(words)) {
    PageRegion region;
    region.lines = make_lines(std::move(group));
    for (const PageLine& line : region.lines) {
      extend_box(region.box, line.box);
    }
    regions.push_back(std::move(region));
  }
  return regions;
}

}  // namespace parley::retrieval::documents
