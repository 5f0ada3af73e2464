#include "retrieval/ingest/file_reading.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "retrieval/ingest/content_hash.h"

namespace parley::retrieval::ingest {
namespace {

using documents::ReadFailure;
using index::FileState;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// Below the root and over no symbolic link, whatever has been put in the way since the walk. -1: errno says
// why.
int open_below(int root, const std::string& path) {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how));
}

std::optional<scan::FileStamp> stamp_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  scan::FileStamp stamp;
  stamp.device = status.st_dev;
  stamp.inode = status.st_ino;
  stamp.size = status.st_size;
  stamp.mtime_ns = status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec;
  stamp.ctime_ns = status.st_ctim.tv_sec * kNanoseconds + status.st_ctim.tv_nsec;
  return stamp;
}

NotRead not_opened(int error) {
  const std::string why = std::generic_category().message(error);
  if (error == EACCES || error == EPERM) {
    return {FileState::failed,
            "Parley may not read it (" + why + "). Give its user access to the file.",
            true,
            {}};
  }
  if (error == ELOOP || error == EXDEV) {
    return {FileState::skipped, "A symbolic link leads to it; links are not followed.", false, {}};
  }
  return {FileState::failed, "It cannot be opened (" + why + ").", true, {}};
}

NotRead not_understood(const ReadFailure& failure, const index::TextHash& content) {
  using Kind = ReadFailure::Kind;
  const bool nothing_in_it = failure.kind == Kind::unsupported || failure.kind == Kind::empty;
  return {nothing_in_it ? FileState::skipped : FileState::failed, failure.reason,
          failure.kind == Kind::crashed, content};
}

bool is_known(const index::FileRecord& file, const index::TextHash& content) {
  return file.content == content && file.reader_version == documents::kReaderVersion && file.num_passages > 0;
}

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

FileOutcome read_open_file(int descriptor, const FileJob& job, documents::DocumentWorker& worker,
                           const ChunkSettings& chunks, const std::stop_token& stop) {
  const auto stamp = stamp_of(descriptor);
  if (!stamp) return NotRead{FileState::skipped, "It is no regular file.", false, {}};
  const auto content = hash_contents(descriptor);
  if (!content) return not_opened(errno);
  if (is_known(job.file, *content)) return Unchanged{*stamp};
  documents::ReadOutcome outcome = worker.read(descriptor, last_part(job.file.path), stop);
  if (stop.stop_requested() || stamp_of(descriptor) != stamp) return ReadAgain{};
  if (const auto* failure = std::get_if<ReadFailure>(&outcome)) return not_understood(*failure, *content);
  index::FileCommit commit;
  commit.file = job.file.id;
  commit.stamp = *stamp;
  commit.content = *content;
  commit.reader_version = documents::kReaderVersion;
  commit.document = std::get<documents::Document>(std::move(outcome));
  commit.chunks = chunking::chunk_document(commit.document, *chunks.counter, chunks.options).chunks;
  if (commit.chunks.empty()) return NotRead{FileState::skipped, "There is no text in it.", false, *content};
  return commit;
}

}  // namespace

FileOutcome read_file(const FileJob& job, documents::DocumentWorker& worker, const ChunkSettings& chunks,
                      const std::stop_token& stop) {
  const Descriptor root(::open(job.root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  // A root that is gone is told by the walk; its files are not: they may come back with it.
  if (root.number() < 0) return ReadAgain{};
  const Descriptor file(open_below(root.number(), job.file.path));
  if (file.number() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Gone{};
    return not_opened(errno);
  }
  return read_open_file(file.number(), job, worker, chunks, stop);
}

}  // namespace parley::retrieval::ingest
