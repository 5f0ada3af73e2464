#include "retrieval/documents/page_tables.h"

#include <algorithm>
#include <utility>

namespace parley::retrieval::documents {
namespace {

constexpr float kClearGap = 0.8F;     // between columns, in font sizes
constexpr float kMaxRowPitch = 3.0F;  // from row to row, in font sizes
constexpr float kLinePitch = 1.45F;   // up to here a line may go on in a cell of the row before
constexpr std::size_t kMaxTableLines = 4096;

struct Stretch {
  float left, right;
};

// Where text stands in any of the lines, ascending, apart by at least `gap`.
std::vector<Stretch> with_line(std::vector<Stretch> columns, const PageLine& line, float gap) {
  for (const LineSegment& segment : line.segments) {
    columns.push_back({segment.left, segment.right});
  }
  std::sort(columns.begin(), columns.end(),
            [](const Stretch& a, const Stretch& b) { return a.left < b.left; });
  std::vector<Stretch> merged;
  for (const Stretch& stretch : columns) {
    if (!merged.empty() && stretch.left - merged.back().right < gap) {
      merged.back().right = std::max(merged.back().right, stretch.right);
    } else {
      merged.push_back(stretch);
    }
  }
  return merged;
}

struct TableLines {
  std::size_t end;  // behind the last one
  std::vector<Stretch> columns;
};

TableLines collect_table_lines(const std::vector<PageLine>& lines, std::size_t begin) {
  const float gap = kClearGap * std::max(lines[begin].size, 1.0F);
  TableLines table = {begin, {}};
  std::size_t num_multiple = 0;
  const std::size_t limit = std::min(lines.size(), begin + kMaxTableLines);
  for (std::size_t index = begin; index < limit; ++index) {
    const PageLine& line = lines[index];
    if (index > begin && line.box.top - lines[index - 1].box.top > kMaxRowPitch * std::max(line.size, 1.0F)) {
      break;
    }
    std::vector<Stretch> columns = with_line(table.columns, line, gap);
    const bool is_lost = num_multiple >= 2 && columns.size() < table.columns.size();
    if (columns.size() < 2 || is_lost || line.is_monospaced != lines[begin].is_monospaced) {
      break;
    }
    num_multiple += line.segments.size() > 1 ? 1 : 0;
    table.columns = std::move(columns);
    table.end = index + 1;
  }
  // Lines in the first column alone that end it are text behind the table.
  while (table.end > begin && lines[table.end - 1].segments.size() == 1 &&
         lines[table.end - 1].segments.front().left < table.columns.front().right) {
    --table.end;
  }
  return table;
}

std::vector<std::string> cells_of(const PageLine& line, const std::vector<Stretch>& columns) {
  std::vector<std::string> cells(columns.size());
  for (const LineSegment& segment : line.segments) {
    const auto next = std::upper_bound(columns.begin(), columns.end(), (segment.left + segment.right) / 2,
                                       [](float x, const Stretch& column) { return x < column.left; });
    const auto column = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - columns.begin() - 1, 0));
    cells[column] += (cells[column].empty() ? "" : " ") + segment.text;
  }
  return cells;
}

std::size_t num_filled(const std::vector<std::string>& cells) {
  return cells.size() - static_cast<std::size_t>(std::count(cells.begin(), cells.end(), ""));
}

}  // namespace

PageTable find_table(const std::vector<PageLine>& lines, std::size_t begin) {
  PageTable table;
  if (lines[begin].segments.size() < 2 || lines[begin].is_monospaced) {
    return table;  // code keeps its alignment by spaces
  }
  const TableLines found = collect_table_lines(lines, begin);
  const auto has_parts = [](const PageLine& line) { return line.segments.size() > 1; };
  const auto num_multiple = std::count_if(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                                          lines.begin() + static_cast<std::ptrdiff_t>(found.end), has_parts);
  if (num_multiple < (found.columns.size() > 2 ? 2 : 3)) {
    return table;
  }
  for (std::size_t index = begin; index < found.end; ++index) {
    const PageLine& line = lines[index];
    std::vector<std::string> cells = cells_of(line, found.columns);
    const bool is_near = index > begin && line.box.top - lines[index - 1].box.top < kLinePitch * line.size;
    if (is_near && cells.front().empty() && num_filled(cells) < num_filled(table.rows.back().cells)) {
      PageTable::Row& row = table.rows.back();
      for (std::size_t column = 0; column < cells.size(); ++column) {
        row.cells[column] += (row.cells[column].empty() || cells[column].empty() ? "" : " ") + cells[column];
      }
      extend_box(row.box, line.box);
    } else {
      table.rows.push_back({std::move(cells), line.box});
    }
  }
  table.num_lines = found.end - begin;
  return table;
}

}  // namespace parley::retrieval::documents
