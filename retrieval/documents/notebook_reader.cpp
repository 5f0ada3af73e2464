// Jupyter notebooks (nbformat 3 and 4): Markdown cells with their structure, code cells, and what cells
// printed.
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_readers.h"

namespace parley::retrieval::documents {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// nbformat writes texts as strings or as lists of lines.
std::string text_of_member(const object& owner, const char* name) {
  element value;
  if (owner[name].get(value) != simdjson::SUCCESS) return "";
  std::string_view whole;
  if (value.get(whole) == simdjson::SUCCESS) return std::string(whole);
  array lines;
  std::string text;
  if (value.get(lines) != simdjson::SUCCESS) return "";
  for (const element line : lines) {
    if (line.get(whole) == simdjson::SUCCESS) text += whole;
  }
  return text;
}

std::string_view word_of_member(const object& owner, const char* name) {
  std::string_view word;
  return owner[name].get(word) == simdjson::SUCCESS ? word : std::string_view();
}

class NotebookScan {
 public:
  explicit NotebookScan(const ReadLimits& limits) : limits_(limits), writer_(limits) {}

  void take_cells(const object& owner) {
    array cells;
    if (owner["cells"].get(cells) != simdjson::SUCCESS) return;
    for (const element item : cells) {
      object cell;
      if (item.get(cell) == simdjson::SUCCESS) take_cell(cell);
    }
  }

  ReadOutcome finish(Document rest) && {
    rest.title = std::move(title_);
    return std::move(writer_).finish(std::move(rest));
  }

 private:
  void take_cell(const object& cell) {
    const std::string_view kind = word_of_member(cell, "cell_type");
    const std::string source = normalised_text(text_of_member(
        cell, kind == "code" && cell["source"].error() != simdjson::SUCCESS ? "input"  // nbformat 3
                                                                            : "source"));
    if (kind == "markdown") {
      const std::vector<Block> blocks = markdown_blocks(source, limits_);
      if (title_.empty()) title_ = leading_heading(source, blocks);
      writer_.append(source, blocks, BlockWriter::kUnknown);
    } else if (kind == "code") {
      add_code(source);
      take_outputs(cell);
    } else if (kind == "heading") {  // nbformat 3
      std::int64_t level = 1;
      if (cell["level"].get(level) != simdjson::SUCCESS) level = 1;
      NewBlock block;
      block.kind = BlockKind::heading;
      block.level = static_cast<int>(std::clamp<std::int64_t>(level, 1, 6));
      writer_.add(block, source);
    } else {
      writer_.append(source, plain_text_blocks(source, limits_), BlockWriter::kUnknown);
    }
  }

  void take_outputs(const object& cell) {
    array outputs;
    if (cell["outputs"].get(outputs) != simdjson::SUCCESS) return;
    for (const element item : outputs) {
      object output, data;
      if (item.get(output) != simdjson::SUCCESS) continue;
      std::string text = text_of_member(output, "text");
      if (output["data"].get(data) == simdjson::SUCCESS) text += text_of_member(data, "text/plain");
      text += word_of_member(output, "evalue");
      // An output longer than this is data rather than something to read.
      constexpr std::size_t kMaxOutput = 20'000;
      if (text.size() > kMaxOutput) text.resize(kMaxOutput);
      add_code(text);
    }
  }

  void add_code(std::string_view text) {
    NewBlock block;
    block.kind = BlockKind::code;
    writer_.add(block, text);
  }

  ReadLimits limits_;
  BlockWriter writer_;
  std::string title_;
};

}  // namespace

ReadOutcome read_notebook(TextInput input, const ReadLimits& limits) {
  const simdjson::padded_string json(input.decoded.text);
  simdjson::dom::parser parser;
  object notebook;
  const auto depth = static_cast<std::size_t>(limits.max_depth);
  if (parser.allocate(json.size(), depth) != simdjson::SUCCESS ||
      parser.parse(json).get(notebook) != simdjson::SUCCESS) {
    return ReadFailure{ReadFailure::Kind::damaged, "It is no valid JSON, as a notebook has to be."};
  }
  NotebookScan scan(limits);
  scan.take_cells(notebook);
  array worksheets;
  if (notebook["worksheets"].get(worksheets) == simdjson::SUCCESS) {
    for (const element item : worksheets) {
      object sheet;
      if (item.get(sheet) == simdjson::SUCCESS) scan.take_cells(sheet);
    }
  }
  Document rest;
  rest.media_type = std::move(input.media_type);
  rest.encoding = std::move(input.decoded.encoding);
  return std::move(scan).finish(std::move(rest));
}

}  // namespace parley::retrieval::documents
