#pragma once
// The seam for file formats: bytes in, text with structure and positions out.
//
// A reader gets hostile bytes. It never trusts a size that the file states, counts what it inflates, keeps to
// ReadLimits, and ends every input by a Document or a ReadFailure, never by an exception of its own
// (std::bad_alloc may pass). Readers have no state: any thread.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "retrieval/documents/document.h"

namespace parley::retrieval::documents {

// Raised whenever a reader makes something else of the same bytes: then files are read again.
inline constexpr int kReaderVersion = 1;

struct ReadLimits {
  std::size_t max_file_bytes = std::size_t{100} << 20;
  std::size_t max_inflated_bytes = std::size_t{512} << 20;  // all members of an archive together
  std::size_t max_inflation_ratio = 200;                    // from 1 MB inflated on
  int max_archive_entries = 10'000;
  int max_nesting = 2;  // of archives
  int max_pages = 10'000;
  std::size_t max_text_bytes = std::size_t{64} << 20;  // of Document::text
  std::size_t max_blocks = 1'000'000;
  int max_depth = 256;  // of elements, objects, parts
};

struct ReadFailure {
  enum class Kind : std::uint8_t {
    unsupported,  // no reader for it: a picture, a program, an archive of many files
    empty,        // there is no text in it
    needs_ocr,    // pictures of text only
    encrypted,
    damaged,
    over_limit,  // of ReadLimits, or of the worker's time and memory
    crashed,     // the worker that read it did not survive
  };
  Kind kind = Kind::damaged;
  std::string reason;  // a sentence for the user, without the file's name
};

using ReadOutcome = std::variant<Document, ReadFailure>;

// What is to be read. The view is valid during the call.
struct ReadInput {
  std::string_view bytes;
  std::string file_name;         // the last part of its path, for the format where bytes do not tell
  std::string declared_charset;  // by a container (mail, HTTP) or a setting; empty: none
};

class DocumentReader {
 public:
  virtual ~DocumentReader() = default;
  virtual ReadOutcome read(const ReadInput& input, const ReadLimits& limits) const = 0;
};

// Every format: finds out what the bytes are (contents before names), takes off one layer of gzip, bzip2 or
// xz, and hands them to that format's reader. In this process: for the worker program and for tests.
std::unique_ptr<DocumentReader> make_document_reader();

}  // namespace parley::retrieval::documents
