#pragma once
// What the reader tests share: read, check what holds for every result (document.h), show blocks as lines.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::documents::testing {

inline bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = byte < 0x80                   ? 1
                               : byte >= 0xC2 && byte < 0xE0 ? 2
                               : byte >= 0xE0 && byte < 0xF0 ? 3
                               : byte >= 0xF0 && byte < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || byte == 0 || at + length > text.size()) {
      return false;
    }
    for (std::size_t next = at + 1; next < at + length; ++next) {
      if ((static_cast<unsigned char>(text[next]) & 0xC0) != 0x80) {
        return false;
      }
    }
    const auto second = length > 2 ? static_cast<unsigned char>(text[at + 1]) : 0x90;
    if ((byte == 0xE0 && second < 0xA0) || (byte == 0xED && second > 0x9F) ||
        (byte == 0xF0 && second < 0x90) || (byte == 0xF4 && second > 0x8F)) {
      return false;
    }
    at += length;
  }
  return true;
}

inline void expect_invariants(const Document& document) {
  EXPECT_TRUE(is_valid_utf8(document.text));
  EXPECT_EQ(document.text.find('\r'), std::string::npos);
  EXPECT_FALSE(document.blocks.empty());
  EXPECT_FALSE(document.media_type.empty());
  std::size_t at = 0;
  const auto expect_space = [&](std::size_t end) {
    EXPECT_EQ(document.text.substr(at, end - at).find_first_not_of(" \n"), std::string::npos);
  };
  for (const Block& block : document.blocks) {
    ASSERT_LE(at, block.range.begin);
    ASSERT_LT(block.range.begin, block.range.end);
    ASSERT_LE(block.range.end, document.text.size());
    expect_space(block.range.begin);
    EXPECT_GE(block.page, document.num_pages > 0 ? 1 : 0);
    EXPECT_LE(block.page, document.num_pages);
    at = block.range.end;
  }
  expect_space(document.text.size());
  EXPECT_TRUE(is_valid_utf8(document.title));
  EXPECT_TRUE(document.page_names.empty() ||
              document.page_names.size() == static_cast<std::size_t>(document.num_pages));
}

inline ReadOutcome read_with(const DocumentReader& reader, std::string_view bytes,
                             const ReadLimits& limits = {}) {
  ReadInput input;
  input.bytes = bytes;
  ReadOutcome outcome = reader.read(input, limits);
  if (const auto* document = std::get_if<Document>(&outcome)) {
    expect_invariants(*document);
    EXPECT_LE(document->text.size(), limits.max_text_bytes);
  } else {
    EXPECT_FALSE(std::get<ReadFailure>(outcome).reason.empty());
  }
  return outcome;
}

inline Document read_document(const DocumentReader& reader, std::string_view bytes,
                              const ReadLimits& limits = {}) {
  ReadOutcome outcome = read_with(reader, bytes, limits);
  if (const auto* failure = std::get_if<ReadFailure>(&outcome)) {
    ADD_FAILURE() << failure->reason;
    return {};
  }
  return std::get<Document>(std::move(outcome));
}

// The kind of failure, or nothing but a failed test when it is a document.
inline ReadFailure read_failure(const DocumentReader& reader, std::string_view bytes,
                                const ReadLimits& limits = {}) {
  ReadOutcome outcome = read_with(reader, bytes, limits);
  if (std::holds_alternative<Document>(outcome)) {
    ADD_FAILURE() << "read as a document: " << std::get<Document>(outcome).text.substr(0, 200);
    return {ReadFailure::Kind::crashed, ""};
  }
  return std::get<ReadFailure>(std::move(outcome));
}

// "heading 1: Introduction", a line each.
inline std::vector<std::string> shown_blocks(const Document& document) {
  constexpr const char* kNames[] = {"heading", "paragraph", "item", "code", "columns", "row", "quote"};
  std::vector<std::string> lines;
  for (const Block& block : document.blocks) {
    std::string line = kNames[static_cast<int>(block.kind)];
    line += block.level > 0 ? " " + std::to_string(block.level) : "";
    lines.push_back(line + ": " +
                    document.text.substr(block.range.begin, block.range.end - block.range.begin));
  }
  return lines;
}

inline std::vector<std::string> blocks_of(const DocumentReader& reader, std::string_view bytes) {
  return shown_blocks(read_document(reader, bytes));
}

using Lines = std::vector<std::string>;

}  // namespace parley::retrieval::documents::testing
