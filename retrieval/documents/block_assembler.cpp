#include "retrieval/documents/block_assembler.h"

#include <algorithm>
#include <utility>

#include "retrieval/documents/format_error.h"
#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {
namespace {

bool is_row(BlockKind kind) { return kind == BlockKind::table_row || kind == BlockKind::table_header; }

bool stand_together(BlockKind before, BlockKind kind) {
  return (is_row(before) && is_row(kind)) || (before == BlockKind::list_item && kind == before);
}

}  // namespace

BlockAssembler::BlockAssembler(const ReadLimits& limits, std::string media_type) : limits_(limits) {
  document_.media_type = std::move(media_type);
}

void BlockAssembler::begin_page(std::string_view name) {
  if (document_.num_pages >= limits_.max_pages) {
    throw FormatError(ReadFailure::Kind::over_limit,
                      "it has more than " + std::to_string(limits_.max_pages) + " pages");
  }
  ++document_.num_pages;
  const std::string cleaned = cleaned_text(name, Spacing::collapse);
  if (!cleaned.empty() || !document_.page_names.empty()) {
    document_.page_names.resize(static_cast<std::size_t>(document_.num_pages));
    document_.page_names.back() = cleaned;
  }
}

void BlockAssembler::add_note(std::string reason) {
  document_.notes.push_back({document_.num_pages, std::move(reason)});
}

void BlockAssembler::add(BlockKind kind, std::string_view text, int level, const Box& box) {
  append(kind, cleaned_text(text, kind == BlockKind::code ? Spacing::keep : Spacing::collapse), level, box);
}

void BlockAssembler::add_row(BlockKind kind, const std::vector<std::string>& cells, const Box& box) {
  std::string row;
  bool has_visible = false;
  for (std::size_t index = 0; index < cells.size(); ++index) {
    std::string cell = cleaned_text(cells[index], Spacing::collapse);
    std::replace(cell.begin(), cell.end(), '\n', ' ');
    has_visible = has_visible || !cell.empty();
    row += index == 0 ? cell : " | " + cell;
  }
  if (has_visible) {
    append(kind, cleaned_text(row, Spacing::collapse), 0, box);
  }
}

void BlockAssembler::append(BlockKind kind, const std::string& text, int level, const Box& box) {
  if (text.find_first_not_of(" \t\n") == std::string::npos) {
    return;
  }
  if (document_.text.size() + text.size() + 2 > limits_.max_text_bytes) {
    throw FormatError(ReadFailure::Kind::over_limit,
                      "its text is longer than " + std::to_string(limits_.max_text_bytes >> 20) + " MiB");
  }
  if (document_.blocks.size() >= limits_.max_blocks) {
    throw FormatError(ReadFailure::Kind::over_limit,
                      "it has more than " + std::to_string(limits_.max_blocks) + " paragraphs and rows");
  }
  if (!document_.blocks.empty()) {
    document_.text += stand_together(document_.blocks.back().kind, kind) ? "\n" : "\n\n";
  }
  Block block;
  block.kind = kind;
  block.level = level;
  block.range.begin = document_.text.size();
  document_.text += text;
  block.range.end = document_.text.size();
  block.page = document_.num_pages;
  block.box = box;
  document_.blocks.push_back(block);
}

void BlockAssembler::set_title(std::string_view title) {
  if (document_.title.empty()) {
    document_.title = cleaned_text(title, Spacing::collapse);
    std::replace(document_.title.begin(), document_.title.end(), '\n', ' ');
  }
}

Document BlockAssembler::take() {
  if (document_.blocks.empty()) {
    throw FormatError(ReadFailure::Kind::empty, "there is no text in it");
  }
  document_.text += '\n';
  if (!document_.page_names.empty()) {
    document_.page_names.resize(static_cast<std::size_t>(document_.num_pages));
  }
  return std::move(document_);
}

}  // namespace parley::retrieval::documents
