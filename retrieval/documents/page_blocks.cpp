#include "retrieval/documents/page_blocks.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "retrieval/documents/page_tables.h"
#include "retrieval/documents/table_rows.h"

namespace parley::retrieval::documents {
namespace {

// The bytes of a bullet and the space behind it; 0: the line begins with none.
std::size_t bullet_length(std::string_view text) {
  for (const std::string_view bullet : {"\u2022", "\u25AA", "\u25A0", "\u25CF", "\u25E6", "\u2023", "\u2043",
                                        "\u2219", "\u00B7", "\u2013", "\uF0B7", "\uF0A7", "*", "-"}) {
    if (text.starts_with(bullet) && text.substr(bullet.size()).starts_with(' ')) {
      return bullet.size() + 1;
    }
  }
  return 0;
}

// "1.", "12)", "(a)", "b.": the number of a list item.
bool has_list_number(std::string_view text) {
  std::string_view word = text.substr(0, text.find(' '));
  if (word.size() == text.size() || word.size() < 2 || word.size() > 5) {
    return false;
  }
  const bool is_bracketed = word.front() == '(';
  word.remove_prefix(is_bracketed ? 1 : 0);
  if (word.size() < 2 || (word.back() != ')' && (word.back() != '.' || is_bracketed))) {
    return false;
  }
  word.remove_suffix(1);
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const bool is_letter = word.size() == 1 && std::isalpha(static_cast<unsigned char>(word.front())) != 0;
  return is_letter || (word.size() <= 3 && std::all_of(word.begin(), word.end(), is_digit));
}

bool ends_sentence(std::string_view text) {
  return text.ends_with('.') || text.ends_with('!') || text.ends_with('?') || text.ends_with(':') ||
         text.ends_with("\u3002");
}

// "Introduction … 12": an entry of a table of contents or an index.
bool ends_with_page_number(std::string_view text) {
  const std::size_t leader = text.rfind("\u2026");
  return leader != std::string_view::npos && !text.empty() &&
         std::isalnum(static_cast<unsigned char>(text.back())) != 0 && text.size() - leader < 12;
}

class RegionBlocks {
 public:
  RegionBlocks(const PageRegion& region, const PrintMeasures& measures, const Hyphenation& hyphenation,
               std::vector<PageBlock>& blocks)
      : region_(region), measures_(measures), hyphenation_(hyphenation), blocks_(blocks) {}

  void read() {
    const std::vector<PageLine>& lines = region_.lines;
    for (std::size_t index = 0; index < lines.size();) {
      const PageTable table = find_table(lines, index);
      if (table.num_lines > 0) {
        add_table(table);
        index += table.num_lines;
        before_ = nullptr;
        continue;
      }
      add_line(lines[index]);
      before_ = &lines[index++];
    }
  }

 private:
  void add_table(const PageTable& table) {
    const bool has_header = table.rows.size() > 1 && reads_as_header(table.rows.front().cells);
    for (const PageTable::Row& row : table.rows) {
      PageBlock block;
      const bool is_header = has_header && &row == &table.rows.front();
      block.kind = is_header ? BlockKind::table_header : BlockKind::table_row;
      block.cells = row.cells;
      block.box = row.box;
      blocks_.push_back(std::move(block));
    }
  }

  void add_line(const PageLine& line) {
    const std::string text = line.text();
    if (before_ != nullptr && line.is_monospaced && blocks_.back().kind == BlockKind::code) {
      blocks_.back().text += '\n' + code_line(line);
    } else if (before_ == nullptr || begins_block(line, text)) {
      begin_block(line, text);
      return;
    } else {
      hyphenation_.join(blocks_.back().text, text);
    }
    extend_box(blocks_.back().box, line.box);
    ++num_lines_;
  }

  // A line of code, whose letters are all of one width, with the spaces that the page shows as gaps.
  std::string code_line(const PageLine& line) const {
    constexpr float kMaxColumns = 80, kLetterWidth = 0.6F;
    std::string text;
    float x = region_.box.left;
    for (const LineSegment& segment : line.segments) {
      const float columns = std::round((segment.left - x) / (kLetterWidth * std::max(line.size, 1.0F)));
      text.append(static_cast<std::size_t>(std::clamp(columns, text.empty() ? 0.0F : 1.0F, kMaxColumns)),
                  ' ');
      text += segment.text;
      x = segment.right;
    }
    return text;
  }

  void begin_block(const PageLine& line, const std::string& text) {
    PageBlock block;
    block.box = line.box;
    block.size = line.size;
    block.is_bold = line.is_bold;
    num_lines_ = 1;
    left_ = line.box.left;
    const std::size_t bullet = bullet_length(text);
    const bool is_body = line.size < 1.12F * measures_.body_size;
    if (line.is_monospaced) {
      block.kind = BlockKind::code;
      block.text = code_line(line);
    } else if (is_body && (bullet > 0 || has_list_number(text))) {
      block.kind = BlockKind::list_item;
      block.level = 1;
      block.text = text.substr(bullet);
    } else {
      block.text = text;
    }
    blocks_.push_back(std::move(block));
  }

  bool begins_block(const PageLine& line, const std::string& text) const {
    const float size = std::max(line.size, 1.0F);
    if (std::fabs(line.size - before_->size) > 0.08F * size || line.is_bold != before_->is_bold ||
        line.is_monospaced != before_->is_monospaced) {
      return true;
    }
    const float pitch = line.box.top - before_->box.top;
    if (ends_with_page_number(before_->text())) {
      return true;
    }
    if (pitch > 1.3F * measures_.line_pitch * size) {
      return true;
    }
    const bool is_body = line.size < 1.12F * measures_.body_size;
    if (is_body && (bullet_length(text) > 0 || has_list_number(text)) &&
        (blocks_.back().kind == BlockKind::list_item || ends_sentence(blocks_.back().text))) {
      return true;
    }
    return is_body && begins_by_margins(line, size);
  }

  bool begins_by_margins(const PageLine& line, float size) const {
    const float width = std::max(region_.box.right - region_.box.left, 1.0F);
    const float unfilled = (region_.box.right - before_->box.right) / width;
    const float indented = line.box.left - before_->box.left;
    if (unfilled > 0.35F || (unfilled > 0.15F && ends_sentence(blocks_.back().text))) {
      return !blocks_.back().text.ends_with('-');
    }
    if (blocks_.back().kind == BlockKind::list_item) {
      return line.box.left < left_ - 0.5F * size;
    }
    if (indented > 0.8F * size) {  // of the first line; of the second one it is a paragraph that hangs out
      return num_lines_ > 1 || ends_sentence(blocks_.back().text);
    }
    return indented < -0.8F * size && num_lines_ > 1;
  }

  const PageRegion& region_;
  const PrintMeasures& measures_;
  const Hyphenation& hyphenation_;
  std::vector<PageBlock>& blocks_;
  const PageLine* before_ = nullptr;  // the line that the last block ends with; null: a table does
  int num_lines_ = 0;                 // of the last block
  float left_ = 0;                    // of its first line
};

bool begins_with_lower_case(std::string_view text) {
  return !text.empty() && std::islower(static_cast<unsigned char>(text.front())) != 0;
}

}  // namespace

std::vector<PageBlock> make_page_blocks(const LaidOutPage& page, const PrintMeasures& measures,
                                        const Hyphenation& hyphenation) {
  std::vector<PageBlock> blocks;
  for (const PageRegion& region : page.regions) {
    std::vector<PageBlock> more;
    RegionBlocks(region, measures, hyphenation, more).read();
    for (PageBlock& block : more) {
      block.level = block.kind == BlockKind::paragraph ? heading_level(measures, block) : block.level;
      block.kind = block.kind == BlockKind::paragraph && block.level > 0 ? BlockKind::heading : block.kind;
    }
    auto next = more.begin();
    const bool goes_on = !blocks.empty() && next != more.end() &&
                         blocks.back().kind == BlockKind::paragraph && next->kind == BlockKind::paragraph &&
                         blocks.back().size == next->size && !ends_sentence(blocks.back().text) &&
                         begins_with_lower_case(next->text);
    if (goes_on) {
      hyphenation.join(blocks.back().text, next->text);
      ++next;
    }
    std::move(next, more.end(), std::back_inserter(blocks));
  }
  return blocks;
}

}  // namespace parley::retrieval::documents
