#pragma once
// Rows of `files` and `collections` as values. Pure, any thread.

#include <string>
#include <string_view>

#include "retrieval/index/sqlite.h"
#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

std::string_view word_of(FileState state);
std::string_view word_of(CollectionState state);
FileState file_state(std::string_view word);
CollectionState collection_state(std::string_view word);

inline Blob blob_of(const TextHash& hash) {
  return {{reinterpret_cast<const char*>(hash.data()), hash.size()}};
}
TextHash hash_of_blob(std::string_view bytes);

// In the order that read_file_record expects.
inline constexpr std::string_view kFileColumns =
    "id, collection, path, device, inode, size, mtime_ns, ctime_ns, content, reader_version, state, "
    "attempts, "
    "retry_at, reason, title, media_type, num_passages";
FileRecord read_file_record(const Query& row);

inline constexpr std::string_view kCollectionColumns =
    "id, name, root, include, exclude, state, reason, created_at";
Collection read_collection(const Query& row);

}  // namespace parley::retrieval::index
