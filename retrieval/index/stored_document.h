#pragma once
// What the document store holds, as values. Any thread.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "retrieval/chunking/chunker.h"
#include "retrieval/documents/document.h"
#include "retrieval/scan/file_stamp.h"

namespace parley::retrieval::index {

using CollectionId = std::int64_t;
using FileId = std::int64_t;
using PassageId = std::int64_t;
using TextHash = std::array<std::uint8_t, 32>;  // SHA-256

struct CollectionSettings {
  std::string name;
  std::string root;  // absolute path of the folder
  std::vector<std::string> include;
  std::vector<std::string> exclude;
};

enum class CollectionState : std::uint8_t {
  active,
  paused,         // by a person
  unavailable,    // the folder is gone or cannot be read: nothing is removed
  asks_deletion,  // so many files are gone that a person has to say whether that is meant
};

struct Collection {
  CollectionId id = 0;
  CollectionSettings settings;
  CollectionState state = CollectionState::active;
  std::string reason;  // of a state other than active
  std::int64_t created_ms = 0;
};

enum class FileState : std::uint8_t {
  queued,
  ready,
  skipped,  // nothing to index in it: a picture, an empty file
  failed,
};

struct FileRecord {
  FileId id = 0;
  CollectionId collection = 0;
  std::string path;  // relative to the root, bytes
  scan::FileStamp stamp;
  std::optional<TextHash> content;  // of the bytes that were read last; none: never read
  int reader_version = 0;
  FileState state = FileState::queued;
  int attempts = 0;
  std::int64_t retry_at_ms = 0;
  std::string reason;  // of skipped and failed, a sentence
  std::string title;
  std::string media_type;
  int num_passages = 0;
};

struct FileToRead {
  std::string path;
  scan::FileStamp stamp;
};

struct FileFailure {
  FileState state = FileState::failed;  // failed, skipped, or queued to be tried again
  std::string reason;
  std::int64_t retry_at_ms = 0;
  std::optional<TextHash> content;
  int reader_version = 0;
  bool drop_passages = false;  // of earlier generations: the file has become something that cannot be indexed
};

// A new generation of a file: what was read and cut. A passage's text hash is what its vector is cached by.
struct FileCommit {
  FileId file = 0;
  scan::FileStamp stamp;
  TextHash content{};
  int reader_version = 0;
  documents::Document document;
  std::vector<chunking::Chunk> chunks;
};

struct CollectionCounts {
  std::int64_t files = 0, queued = 0, ready = 0, skipped = 0, failed = 0;
  std::int64_t passages = 0;
  std::int64_t bytes = 0;  // of the files that are ready
};

struct StoredPassage {
  PassageId id = 0;
  FileId file = 0;
  CollectionId collection = 0;
  std::string collection_name;
  std::string path;   // relative to the collection's root
  std::string title;  // of the document
  std::vector<std::string> heading_path;
  std::string text;
  documents::ByteRange range;  // in the file's stored text
  int line = 0;                // from 1, of the range's beginning in the stored text
  int page = 0;
  std::string page_name;
  documents::Box box;
  int num_tokens = 0;
  int ordinal = 0;  // in its file, from 0
  TextHash text_hash{};
};

struct StoredText {
  std::string text;
  std::string media_type;
  std::string title;
  std::string path;
};

struct ScoredPassage {
  PassageId id = 0;
  double score = 0;  // higher is better
};

// Words as they are to be looked for: each may be in a passage, `phrases` whole. Made by search/ from a
// question.
struct TextQuery {
  std::vector<std::string> terms;
  std::vector<std::string> phrases;
};

}  // namespace parley::retrieval::index
