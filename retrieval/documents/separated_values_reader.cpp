// CSV and TSV (RFC 4180, and what spreadsheets make of it). The text stays as it is: a row is a block, also
// where a quoted cell runs over lines.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_lines.h"
#include "retrieval/documents/text_readers.h"

namespace parley::retrieval::documents {

namespace {

struct TableShape {
  char separator = ',';
  bool quotes = true;  // false: a quotation mark is never closed, so they mean nothing
};

struct RowScan {
  std::size_t end = 0;  // of the row, without its line end
  std::size_t next = 0;
  std::size_t num_cells = 1;
  std::size_t num_numbers = 0;  // cells that are numbers, or empty
  bool closed = true;           // false: the text ends within quotation marks
};

bool is_number_or_empty(std::string_view cell) {
  return trimmed(cell).find_first_not_of("0123456789+-.,%eE \"") == std::string_view::npos;
}

RowScan scan_row(std::string_view text, std::size_t begin, const TableShape& shape) {
  RowScan row;
  std::size_t cell = begin;
  bool in_quotes = false;
  std::size_t at = begin;
  const auto end_cell = [&] { row.num_numbers += is_number_or_empty(text.substr(cell, at - cell)) ? 1 : 0; };
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_quotes) {
      if (c == '"' && at + 1 < text.size() && text[at + 1] == '"') {
        ++at;
      } else if (c == '"') {
        in_quotes = false;
      }
    } else if (c == '"' && shape.quotes && is_blank(text.substr(cell, at - cell))) {
      in_quotes = true;
    } else if (c == shape.separator) {
      end_cell();
      cell = at + 1;
      ++row.num_cells;
    } else if (c == '\n') {
      break;
    }
  }
  end_cell();
  row.end = at;
  row.next = std::min(at + 1, text.size());
  row.closed = !in_quotes;
  return row;
}

// The separator that most of the first rows have the same number of, not none.
char find_separator(std::string_view text) {
  constexpr std::array kSeparators = {',', '\t', ';', '|'};
  constexpr int kRows = 20;
  char best = ',';
  int best_score = 0;
  for (const char separator : kSeparators) {
    std::size_t at = 0, cells = 0;
    int score = 0;
    for (int i = 0; i < kRows && at < text.size(); ++i) {
      const RowScan row = scan_row(text, at, {separator, true});
      at = row.next;
      if (cells == 0) cells = row.num_cells;
      if (row.num_cells > 1) score += row.num_cells == cells ? 2 : 1;
    }
    if (score > best_score) {
      best = separator;
      best_score = score;
    }
  }
  return best;
}

// Names of columns are words: a first row with a number or an empty cell in it is a row like the others.
bool reads_as_names(const RowScan& row) { return row.num_numbers == 0; }

// Rows of the same table, so none of them names columns unless it is the first.
void add_rows(SourceBlocks& blocks, std::string_view text, TableShape shape) {
  bool first = true;
  for (std::size_t at = 0; at < text.size();) {
    RowScan row = scan_row(text, at, shape);
    if (!row.closed) {
      shape.quotes = false;
      row = scan_row(text, at, shape);
    }
    const ByteRange range = {at, row.end};
    at = row.next;
    if (is_blank(text_of(text, range))) continue;
    const bool names = first && reads_as_names(row) && at < text.size();
    blocks.add(names ? BlockKind::table_header : BlockKind::table_row, range);
    first = false;
  }
}

}  // namespace

ReadOutcome read_separated_values(TextInput input, const ReadLimits& limits) {
  const std::string_view text = input.decoded.text;
  SourceBlocks blocks(text, limits);
  TableShape shape;
  shape.separator = input.media_type == "text/tab-separated-values" ? '\t' : find_separator(text);
  add_rows(blocks, text, shape);
  SourceDocument source;
  source.blocks = blocks.take();
  source.media_type = std::move(input.media_type);
  source.input = std::move(input.decoded);
  return source_outcome(std::move(source));
}

}  // namespace parley::retrieval::documents
