#pragma once
// Builds documents from blocks, as a reader would.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "retrieval/chunking/chunker.h"

namespace parley::retrieval::chunking {

class DocumentMaker {
 public:
  DocumentMaker& add(documents::BlockKind kind, std::string_view text, int level = 0) {
    if (!document_.text.empty()) {
      document_.text += "\n\n";
    }
    documents::Block block;
    block.kind = kind;
    block.level = level;
    block.range.begin = document_.text.size();
    document_.text += text;
    block.range.end = document_.text.size();
    block.page = page_;
    block.box = box_;
    document_.blocks.push_back(block);
    return *this;
  }
  DocumentMaker& heading(int level, std::string_view text) {
    return add(documents::BlockKind::heading, text, level);
  }
  DocumentMaker& paragraph(std::string_view text) { return add(documents::BlockKind::paragraph, text); }
  DocumentMaker& code(std::string_view text) { return add(documents::BlockKind::code, text); }
  DocumentMaker& header_row(std::string_view text) { return add(documents::BlockKind::table_header, text); }
  DocumentMaker& row(std::string_view text) { return add(documents::BlockKind::table_row, text); }
  // Of the blocks from now on.
  DocumentMaker& page(int page) {
    page_ = page;
    return *this;
  }
  DocumentMaker& box(documents::Box box) {
    box_ = box;
    return *this;
  }
  const documents::Document& document() const { return document_; }

 private:
  documents::Document document_;
  int page_ = 0;
  documents::Box box_;
};

// A token each word between white space: what a test can count by eye.
class SpaceCounter final : public TokenCounter {
 public:
  int count(std::string_view text) const override {
    int words = 0;
    bool inside = false;
    for (const char byte : text) {
      const bool space = byte == ' ' || (byte >= '\t' && byte <= '\r');
      words += !space && !inside ? 1 : 0;
      inside = !space;
    }
    return words;
  }
};

// A token each byte that is no white space: whatever is joined costs the sum of its parts.
class ByteCounter final : public TokenCounter {
 public:
  int count(std::string_view text) const override {
    int bytes = 0;
    for (const char byte : text) {
      bytes += byte == ' ' || (byte >= '\t' && byte <= '\r') ? 0 : 1;
    }
    return bytes;
  }
};

// "s0w0 s0w1 … s0wN. s1w0 …": sentences of so many words, told apart by their number.
inline std::string numbered_sentences(int count, int words) {
  std::string text;
  for (int sentence = 0; sentence < count; ++sentence) {
    for (int word = 0; word < words; ++word) {
      text += (text.empty() ? "S"
               : word == 0  ? " S"
                            : " s") +
              std::to_string(sentence) + "w" + std::to_string(word);
    }
    text += ".";
  }
  return text;
}

inline std::string repeated(std::string_view text, int times) {
  std::string result;
  result.reserve(text.size() * static_cast<std::size_t>(times));
  for (int time = 0; time < times; ++time) {
    result += text;
  }
  return result;
}

inline std::vector<std::string> texts_of(const ChunkedDocument& chunked) {
  std::vector<std::string> texts;
  for (const Chunk& chunk : chunked.chunks) {
    texts.push_back(chunk.text);
  }
  return texts;
}

}  // namespace parley::retrieval::chunking
