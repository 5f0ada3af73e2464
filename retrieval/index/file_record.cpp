#include "retrieval/index/file_record.h"

#include <algorithm>
#include <array>

#include "retrieval/index/string_list.h"

namespace parley::retrieval::index {
namespace {

constexpr std::array<std::string_view, 4> kFileStates = {"queued", "ready", "skipped", "failed"};
constexpr std::array<std::string_view, 4> kCollectionStates = {"active", "paused", "unavailable",
                                                               "asks_deletion"};

// A word that this version does not know stands for the first one.
template <typename State, std::size_t N>
State state_of(const std::array<std::string_view, N>& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return static_cast<State>(found == words.end() ? 0 : found - words.begin());
}

}  // namespace

std::string_view word_of(FileState state) { return kFileStates.at(static_cast<std::size_t>(state)); }
std::string_view word_of(CollectionState state) {
  return kCollectionStates.at(static_cast<std::size_t>(state));
}
FileState file_state(std::string_view word) { return state_of<FileState>(kFileStates, word); }
CollectionState collection_state(std::string_view word) {
  return state_of<CollectionState>(kCollectionStates, word);
}

TextHash hash_of_blob(std::string_view bytes) {
  TextHash hash{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), hash.size()), hash.begin());
  return hash;
}

FileRecord read_file_record(const Query& row) {
  FileRecord file;
  file.id = row.integer(0);
  file.collection = row.integer(1);
  file.path = std::string(row.blob(2));
  file.stamp = {.device = static_cast<std::uint64_t>(row.integer(3)),
                .inode = static_cast<std::uint64_t>(row.integer(4)),
                .size = row.integer(5),
                .mtime_ns = row.integer(6),
                .ctime_ns = row.integer(7)};
  if (!row.is_null(8)) file.content = hash_of_blob(row.blob(8));
  file.reader_version = static_cast<int>(row.integer(9));
  file.state = file_state(row.text(10));
  file.attempts = static_cast<int>(row.integer(11));
  file.retry_at_ms = row.integer(12);
  // Kept in the row for restamping; of a file that waits for its first attempt it says nothing.
  if (file.state != FileState::queued || file.attempts > 0) file.reason = row.text(13);
  file.title = row.text(14);
  file.media_type = row.text(15);
  file.num_passages = static_cast<int>(row.integer(16));
  return file;
}

Collection read_collection(const Query& row) {
  Collection collection;
  collection.id = row.integer(0);
  collection.settings.name = row.text(1);
  collection.settings.root = std::string(row.blob(2));
  collection.settings.include = decode_list(row.blob(3));
  collection.settings.exclude = decode_list(row.blob(4));
  collection.state = collection_state(row.text(5));
  collection.reason = row.text(6);
  collection.created_ms = row.integer(7);
  return collection;
}

}  // namespace parley::retrieval::index
