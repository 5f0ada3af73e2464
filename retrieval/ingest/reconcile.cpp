#include "retrieval/ingest/reconcile.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::ingest {
namespace {

constexpr std::size_t kFewFiles = 20;
constexpr std::size_t kDeletionShare = 5;  // one in five

// A file that only moved keeps these; its ctime is that of the move.
using Identity = std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t>;

Identity identity_of(const scan::FileStamp& stamp) {
  return {stamp.device, stamp.inode, stamp.size, stamp.mtime_ns};
}

bool has_to_be_read(const index::FileRecord& known, const scan::FileStamp& stamp) {
  if (!(known.stamp == stamp)) return true;
  return known.state != index::FileState::queued && known.reader_version != documents::kReaderVersion;
}

}  // namespace

Reconciliation reconcile(std::vector<scan::FoundFile> found, std::vector<index::FileRecord> known) {
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  std::sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  Reconciliation result;
  std::vector<const scan::FoundFile*> fresh;
  std::map<Identity, const index::FileRecord*> gone;  // of hard links, which share an identity, one
  auto have = known.begin();
  for (const auto& file : found) {
    for (; have != known.end() && have->path < file.path; ++have)
      gone.emplace(identity_of(have->stamp), &*have);
    if (have != known.end() && have->path == file.path) {
      if (has_to_be_read(*have, file.stamp)) result.to_read.push_back({file.path, file.stamp});
      ++have;
    } else {
      fresh.push_back(&file);
    }
  }
  for (; have != known.end(); ++have) gone.emplace(identity_of(have->stamp), &*have);
  for (const auto* file : fresh) {
    const auto moved = gone.find(identity_of(file->stamp));
    if (moved == gone.end()) {
      result.to_read.push_back({file->path, file->stamp});
      continue;
    }
    result.renames.push_back({moved->second->id, file->path, file->stamp});
    gone.erase(moved);
  }
  std::vector<index::FileId> kept;
  for (const auto& rename : result.renames) kept.push_back(rename.file);
  std::sort(kept.begin(), kept.end());
  auto place = found.begin();
  for (const auto& file : known) {
    while (place != found.end() && place->path < file.path) ++place;
    const bool is_there = place != found.end() && place->path == file.path;
    if (!is_there && !std::binary_search(kept.begin(), kept.end(), file.id))
      result.to_remove.push_back(file.id);
  }
  return result;
}

bool is_mass_deletion(std::size_t num_removed, std::size_t num_known) {
  return num_removed >= kFewFiles && num_removed * kDeletionShare > num_known;
}

}  // namespace parley::retrieval::ingest
