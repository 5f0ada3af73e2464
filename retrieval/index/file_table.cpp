#include "retrieval/index/file_table.h"

#include "retrieval/index/file_record.h"

namespace parley::retrieval::index {
namespace {

const std::string kSelectFiles = "SELECT " + std::string(kFileColumns) + " FROM files WHERE ";
constexpr const char* kInLiveCollection =
    " AND collection IN (SELECT id FROM collections WHERE removed = 0) ";
// Nobody reads files of a collection that is paused or away, so they must not stand before others.
constexpr const char* kInReadCollection =
    " AND collection IN (SELECT id FROM collections WHERE removed = 0 AND state IN ('active', "
    "'asks_deletion')) ";
const std::string kSelectPlace = "SELECT id, collection, first_passage, num_passages, text FROM files WHERE ";
constexpr const char* kSetStamp = "device = ?2, inode = ?3, size = ?4, mtime_ns = ?5, ctime_ns = ?6";

FilePlace read_place(const Query& row) {
  FilePlace place;
  place.file = row.integer(0);
  place.collection = row.integer(1);
  place.generation.first_passage = row.integer(2);
  place.generation.num_passages = static_cast<int>(row.integer(3));
  if (!row.is_null(4)) place.generation.text = row.integer(4);
  return place;
}

std::int64_t stored(std::uint64_t number) { return static_cast<std::int64_t>(number); }

std::vector<FileRecord> read_files(Query& row) {
  std::vector<FileRecord> files;
  while (row.next()) files.push_back(read_file_record(row));
  return files;
}

}  // namespace

FileTable::FileTable(Database& database)
    : find_(database, kSelectFiles + "collection = ?1 AND path = ?2" + kInLiveCollection),
      each_(database, kSelectFiles + "collection = ?1" + kInLiveCollection + "ORDER BY path"),
      next_(database, kSelectFiles + "state = 'queued' AND retry_at <= ?1" + kInReadCollection +
                          "ORDER BY size > 1048576, mtime_ns DESC, id LIMIT ?2"),
      failed_(database, kSelectFiles + "collection = ?1 AND state = 'failed'" + kInLiveCollection +
                            "ORDER BY path LIMIT ?2"),
      counts_(database,
              "SELECT state, count(*), sum(num_passages), sum(size) FROM files WHERE collection = ?1" +
                  std::string(kInLiveCollection) + "GROUP BY state"),
      place_(database, kSelectPlace + "id = ?1"),
      place_at_(database, kSelectPlace + "collection = ?1 AND path = ?2"),
      first_files_(database, kSelectPlace + "collection = ?1 LIMIT ?2"),
      has_queued_(database, kSelectPlace + "state = 'queued'" + kInLiveCollection + "LIMIT 1"),
      queue_(database,
             "INSERT INTO files(collection, path, device, inode, size, mtime_ns, ctime_ns, reader_version, "
             "state,"
             " settled_state, attempts, retry_at, reason, title, media_type, first_passage, num_passages)"
             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 'queued', 'ready', 0, 0, '', '', '', 0, 0)"
             " ON CONFLICT(collection, path) DO UPDATE SET device = ?3, inode = ?4, size = ?5, mtime_ns = ?6,"
             " ctime_ns = ?7, state = 'queued', attempts = 0, retry_at = 0"),
      commit_(database,
              "UPDATE files SET " + std::string(kSetStamp) +
                  ", content = ?7, reader_version = ?8, title = ?9, media_type = ?10,"
                  " first_passage = ?11, num_passages = ?12, text = ?13, attempts = 0, retry_at = 0,"
                  " reason = '', settled_state = 'ready',"
                  " state = CASE WHEN state = 'queued' AND ctime_ns > ?6 THEN 'queued' ELSE 'ready' END"
                  " WHERE id = ?1"),
      restamp_(database, "UPDATE files SET " + std::string(kSetStamp) +
                             ", state = settled_state, attempts = 0, retry_at = 0 WHERE id = ?1"),
      fail_(database,
            "UPDATE files SET state = ?2, reason = ?3, retry_at = ?4, content = coalesce(?5, content),"
            " attempts = attempts + 1, reader_version = CASE WHEN ?6 > 0 THEN ?6 ELSE reader_version END,"
            " settled_state = CASE WHEN ?2 = 'queued' THEN settled_state ELSE ?2 END WHERE id = ?1"),
      drop_generation_(database,
                       "UPDATE files SET first_passage = 0, num_passages = 0, text = NULL WHERE id = ?1"),
      rename_(database, "UPDATE files SET " + std::string(kSetStamp) + ", path = ?7 WHERE id = ?1"),
      erase_(database, "DELETE FROM files WHERE id = ?1") {}

std::optional<FileRecord> FileTable::find(CollectionId collection, const std::string& path) {
  Query row(find_, collection, Blob{path});
  if (!row.next()) return std::nullopt;
  return read_file_record(row);
}

void FileTable::for_each(CollectionId collection, const std::function<void(const FileRecord&)>& each) {
  Query row(each_, collection);
  while (row.next()) each(read_file_record(row));
}

std::vector<FileRecord> FileTable::next(std::int64_t now_ms, int count) {
  Query row(next_, now_ms, count);
  return read_files(row);
}

std::vector<FileRecord> FileTable::failed(CollectionId collection, int limit) {
  Query row(failed_, collection, limit);
  return read_files(row);
}

CollectionCounts FileTable::counts(CollectionId collection) {
  CollectionCounts counts;
  Query row(counts_, collection);
  while (row.next()) {
    const FileState state = file_state(row.text(0));
    const std::int64_t files = row.integer(1);
    counts.files += files;
    counts.passages += row.integer(2);
    if (state == FileState::queued) counts.queued = files;
    if (state == FileState::skipped) counts.skipped = files;
    if (state == FileState::failed) counts.failed = files;
    if (state == FileState::ready) {
      counts.ready = files;
      counts.bytes = row.integer(3);
    }
  }
  return counts;
}

std::optional<FilePlace> FileTable::place(FileId file) {
  Query row(place_, file);
  if (!row.next()) return std::nullopt;
  return read_place(row);
}

std::optional<FilePlace> FileTable::place_at(CollectionId collection, const std::string& path) {
  Query row(place_at_, collection, Blob{path});
  if (!row.next()) return std::nullopt;
  return read_place(row);
}

std::vector<FilePlace> FileTable::first_files(CollectionId collection, int count) {
  std::vector<FilePlace> places;
  Query row(first_files_, collection, count);
  while (row.next()) places.push_back(read_place(row));
  return places;
}

bool FileTable::has_queued() { return Query(has_queued_).next(); }

void FileTable::queue(CollectionId collection, const FileToRead& file) {
  const scan::FileStamp& stamp = file.stamp;
  Query(queue_, collection, Blob{file.path}, stored(stamp.device), stored(stamp.inode), stamp.size,
        stamp.mtime_ns, stamp.ctime_ns)
      .run();
}

void FileTable::commit(const FileCommit& commit, const Generation& generation) {
  const scan::FileStamp& stamp = commit.stamp;
  Query(commit_, commit.file, stored(stamp.device), stored(stamp.inode), stamp.size, stamp.mtime_ns,
        stamp.ctime_ns, blob_of(commit.content), commit.reader_version, commit.document.title,
        commit.document.media_type, generation.first_passage, generation.num_passages, generation.text)
      .run();
}

void FileTable::restamp(FileId file, const scan::FileStamp& stamp) {
  Query(restamp_, file, stored(stamp.device), stored(stamp.inode), stamp.size, stamp.mtime_ns, stamp.ctime_ns)
      .run();
}

void FileTable::fail(FileId file, const FileFailure& failure) {
  std::optional<Blob> content;
  if (failure.content) content = blob_of(*failure.content);
  Query(fail_, file, word_of(failure.state), failure.reason, failure.retry_at_ms, content,
        failure.reader_version)
      .run();
}

void FileTable::drop_generation(FileId file) { Query(drop_generation_, file).run(); }

void FileTable::rename(FileId file, const std::string& path, const scan::FileStamp& stamp) {
  Query(rename_, file, stored(stamp.device), stored(stamp.inode), stamp.size, stamp.mtime_ns, stamp.ctime_ns,
        Blob{path})
      .run();
}

void FileTable::erase(FileId file) { Query(erase_, file).run(); }

}  // namespace parley::retrieval::index
