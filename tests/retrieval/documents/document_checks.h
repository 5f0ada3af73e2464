#pragma once
// What document.h promises of every document, checked; and documents as tests write them down.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "retrieval/documents/document_reader.h"
#include "retrieval/documents/utf8.h"

namespace parley::retrieval::documents {

inline bool holds_only_space(std::string_view text) {
  return text.find_first_not_of(" \t\n") == std::string_view::npos;
}

// Empty: all is kept; otherwise what is not.
inline std::string broken_promise(const Document& document) {
  const std::string_view text = document.text;
  if (!is_valid_utf8(text)) return "the text is no UTF-8";
  if (text.find('\0') != text.npos || text.find('\r') != text.npos) return "the text has a NUL or a CR";
  std::size_t end = 0;
  for (const Block& block : document.blocks) {
    const std::string at = " at " + std::to_string(block.range.begin);
    if (block.range.begin < end || block.range.end <= block.range.begin || block.range.end > text.size()) {
      return "a block's range" + at;
    }
    if (!holds_only_space(text.substr(end, block.range.begin - end))) return "text between blocks" + at;
    if (block.original.end < block.original.begin) return "an original range" + at;
    const bool has_words = block.words.end > 0;
    if (has_words && (block.words.begin < block.range.begin || block.words.end > block.range.end ||
                      block.words.begin >= block.words.end)) {
      return "the words of a block" + at;
    }
    if (block.kind == BlockKind::heading && block.level < 1) return "a heading's level" + at;
    end = block.range.end;
  }
  if (!holds_only_space(text.substr(end))) return "text behind the last block";
  return is_valid_utf8(document.title) && is_valid_utf8(document.encoding) ? "" : "the title is no UTF-8";
}

inline ReadOutcome read_bytes(std::string_view bytes, const std::string& name,
                              const ReadLimits& limits = {}) {
  ReadInput input;
  input.bytes = bytes;
  input.file_name = name;
  return make_document_reader()->read(input, limits);
}

inline Document read_document(std::string_view bytes, const std::string& name) {
  ReadOutcome outcome = read_bytes(bytes, name);
  if (const auto* failure = std::get_if<ReadFailure>(&outcome)) {
    ADD_FAILURE() << name << ": " << failure->reason;
    return {};
  }
  EXPECT_EQ(broken_promise(std::get<Document>(outcome)), "");
  return std::get<Document>(std::move(outcome));
}

inline ReadFailure read_failure(std::string_view bytes, const std::string& name,
                                const ReadLimits& limits = {}) {
  ReadOutcome outcome = read_bytes(bytes, name, limits);
  if (const auto* failure = std::get_if<ReadFailure>(&outcome)) return *failure;
  ADD_FAILURE() << name << " was read";
  return {};
}

inline std::string text_of_range(const Document& document, ByteRange range) {
  return document.text.substr(range.begin, range.end - range.begin);
}

// "h1 Title", "p A paragraph.", "li2 item", "code …", "th …", "tr …", "q …"; a heading by its words, line
// ends as /.
inline std::vector<std::string> described(const Document& document) {
  std::vector<std::string> lines;
  for (const Block& block : document.blocks) {
    constexpr const char* kNames[] = {"h", "p", "li", "code", "th", "tr", "q"};
    std::string line = kNames[static_cast<int>(block.kind)];
    if (block.level > 0) line += std::to_string(block.level);
    line += " " + text_of_range(document, block.words.end > 0 ? block.words : block.range);
    for (char& c : line) c = c == '\n' ? '/' : c;
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace parley::retrieval::documents
