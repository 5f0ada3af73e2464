#pragma once
// Documents for tests of the index: each line of a text is a passage. One thread.

#include <string>
#include <string_view>
#include <vector>

#include "retrieval/index/document_store.h"
#include "retrieval/index/text_hash.h"
#include "tests/fakes/temp_directory.h"

namespace parley::retrieval::index {

inline scan::FileStamp stamp_at(std::int64_t time, std::int64_t size = 100) {
  return {.device = 1,
          .inode = static_cast<std::uint64_t>(time),
          .size = size,
          .mtime_ns = time,
          .ctime_ns = time};
}

inline documents::Document document_of(const std::string& text) {
  documents::Document document;
  document.text = text;
  document.title = "Title";
  document.media_type = "text/plain";
  return document;
}

inline std::vector<chunking::Chunk> a_chunk_a_line(std::string_view text,
                                                   const std::vector<std::string>& headings = {}) {
  std::vector<chunking::Chunk> chunks;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) {
      chunking::Chunk chunk;
      chunk.range = {begin, end};
      chunk.heading_path = headings;
      chunk.text = text.substr(begin, end - begin);
      chunk.num_tokens = static_cast<int>(chunk.text.size() / 4);
      chunks.push_back(std::move(chunk));
    }
    begin = end + 1;
  }
  return chunks;
}

inline FileCommit commit_of(FileId file, const std::string& text, std::int64_t time = 1) {
  FileCommit commit;
  commit.file = file;
  commit.stamp = stamp_at(time);
  commit.content = hash_text(text);
  commit.reader_version = 1;
  commit.document = document_of(text);
  commit.chunks = a_chunk_a_line(text);
  return commit;
}

// A store in a folder of its own.
class StoreOnDisk {
 public:
  StoreOnDisk() { open(); }
  void open() {
    store.reset();
    store = open_document_store(folder.path(), report);
  }
  CollectionId collection(const std::string& name) {
    return store->add_collection({.name = name, .root = "/" + name, .include = {}, .exclude = {}}).id;
  }
  FileId file(CollectionId in, const std::string& path, std::int64_t time = 1) {
    const std::vector<FileToRead> files = {{path, stamp_at(time)}};
    store->queue_files(in, files);
    return store->find_file(in, path)->id;
  }
  FileId file_with(CollectionId in, const std::string& path, const std::string& text, std::int64_t time = 1) {
    const FileId id = file(in, path, time);
    store->commit_file(commit_of(id, text, time));
    return id;
  }
  std::vector<ScoredPassage> match(const std::vector<std::string>& terms,
                                   const std::vector<CollectionId>& in = {}, int limit = 10) {
    return store->match_text({.terms = terms, .phrases = {}}, in, limit);
  }
  std::vector<StoredPassage> passages(const std::vector<ScoredPassage>& found) {
    std::vector<PassageId> ids;
    ids.reserve(found.size());
    for (const ScoredPassage& passage : found) ids.push_back(passage.id);
    return store->passages(ids);
  }
  std::vector<std::string> texts(const std::vector<std::string>& terms,
                                 const std::vector<CollectionId>& in = {}, int limit = 10) {
    std::vector<std::string> texts;
    for (const StoredPassage& passage : passages(match(terms, in, limit))) texts.push_back(passage.text);
    return texts;
  }

  tests::fakes::TempDirectory folder;
  std::string report;
  std::unique_ptr<DocumentStore> store;
};

using Texts = std::vector<std::string>;

}  // namespace parley::retrieval::index
