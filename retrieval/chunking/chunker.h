#pragma once
// Cuts a document into passages of about a target size along its structure. Pure functions, any thread.
//
// Every byte of the document's text that is no white space lies in at least one chunk; nothing is left out
// silently. Fences and table rows are never cut while they fit; what is longer than the limit is cut at
// sentences (ICU), then lines, words, characters, and counted in ChunkedDocument::num_forced_cuts. The same
// document, counter and options always give the same chunks.
//
// Blocks that break the promises of document.h (out of order, over the end, inside a character) are put
// right, never trusted; text between them becomes paragraphs. Throws std::runtime_error when ICU has no break
// rules, and what the counter throws.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/document.h"

namespace parley::retrieval::chunking {

// Tokens of the embedding model, without the special ones it puts around a text. Implementations are
// immutable, any thread.
class TokenCounter {
 public:
  virtual ~TokenCounter() = default;
  virtual int count(std::string_view text) const = 0;
};

// For search without an embedding model: words and pieces of long words as ICU sees them, about what a
// WordPiece vocabulary of 30,000 makes of English.
std::unique_ptr<TokenCounter> make_word_counter();

// A chunk never has more bytes than this for each token it may have, whatever the counter says of it: a
// WordPiece model takes a word of ten million letters for one unknown token.
inline constexpr int kMaxBytesPerToken = 32;

struct ChunkOptions {
  int target_tokens = 256;
  int max_tokens = 256;       // the model's limit, less its prefix and the heading; below 16 it counts as 16
  int overlap_sentences = 1;  // of the passage before, where a paragraph was cut; never over a heading
};

struct Chunk {
  // In Document::text. Begins and ends ascend from chunk to chunk; neighbours overlap only by sentences.
  documents::ByteRange range;
  // Outermost first, at most 9, each at most 200 bytes: a longer one ends in "…".
  std::vector<std::string> heading_path;
  // What is to be embedded and searched: the range's text, for a table with its header row put in front
  // again.
  std::string text;
  int num_tokens = 0;  // of `text`; at most max_tokens unless one character alone has more
  int page = 0;        // of its first block
  documents::Box box;  // around its blocks on that page
};

struct ChunkedDocument {
  std::vector<Chunk> chunks;
  int num_forced_cuts = 0;  // fences, table rows, headings and sentences that were longer than the limit
};

ChunkedDocument chunk_document(const documents::Document& document, const TokenCounter& counter,
                               const ChunkOptions& options);

}  // namespace parley::retrieval::chunking
