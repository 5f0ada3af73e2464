#include "retrieval/documents/zip_archive.h"

#include <zip.h>

#include <array>

#include "retrieval/documents/format_error.h"

namespace parley::retrieval::documents {
namespace {

constexpr std::size_t kRatioCheckedFrom = 1'000'000;  // small files of spaces may shrink more, and do no harm

[[noreturn]] void damaged_archive(const std::string& detail) {
  throw FormatError(ReadFailure::Kind::damaged, "its ZIP container is damaged: " + detail);
}

zip* open_archive(std::string_view bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip* archive = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
  const std::string detail = archive == nullptr ? zip_error_strerror(&error) : "";
  if (archive == nullptr && source != nullptr) {
    zip_source_free(source);
  }
  zip_error_fini(&error);
  if (archive == nullptr) {
    damaged_archive(detail);
  }
  return archive;
}

}  // namespace

void ZipArchive::Closer::operator()(zip* archive) const { zip_discard(archive); }

ZipArchive::ZipArchive(std::string_view bytes, const ReadLimits& limits)
    : archive_bytes_(bytes.size()), limits_(limits), archive_(open_archive(bytes)) {
  const zip_int64_t num_entries = zip_get_num_entries(archive_.get(), 0);
  if (num_entries > limits.max_archive_entries) {
    throw FormatError(ReadFailure::Kind::over_limit, "its ZIP container has " + std::to_string(num_entries) +
                                                         " entries, the limit is " +
                                                         std::to_string(limits.max_archive_entries));
  }
  for (zip_int64_t index = 0; index < num_entries; ++index) {
    const char* name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(index), ZIP_FL_ENC_GUESS);
    if (name != nullptr) {
      indices_.emplace(name, static_cast<std::size_t>(index));  // of two with one name the first counts
    }
  }
}

ZipArchive::~ZipArchive() = default;

std::string ZipArchive::read(std::string_view name) {
  std::optional<std::string> content = read_if_there(name);
  if (!content) {
    throw FormatError(ReadFailure::Kind::damaged,
                      "its part '" + std::string(name.substr(0, 80)) + "' is missing");
  }
  return *std::move(content);
}

std::optional<std::string> ZipArchive::read_if_there(std::string_view name) {
  const auto found = indices_.find(name);
  if (found == indices_.end()) {
    return std::nullopt;
  }
  return inflate(found->second, name);
}

void ZipArchive::count_inflated(std::size_t bytes) {
  inflated_bytes_ += bytes;
  if (inflated_bytes_ > limits_.max_inflated_bytes) {
    throw FormatError(ReadFailure::Kind::over_limit, "its ZIP container inflates to more than " +
                                                         std::to_string(limits_.max_inflated_bytes >> 20) +
                                                         " MiB");
  }
  if (inflated_bytes_ > kRatioCheckedFrom && inflated_bytes_ / limits_.max_inflation_ratio > archive_bytes_) {
    throw FormatError(ReadFailure::Kind::over_limit, "its ZIP container inflates to more than " +
                                                         std::to_string(limits_.max_inflation_ratio) +
                                                         " times its size");
  }
}

std::string ZipArchive::inflate(std::size_t index, std::string_view name) {
  const std::string shown = "part '" + std::string(name.substr(0, 80)) + "'";
  zip_stat_t stat;
  if (zip_stat_index(archive_.get(), index, 0, &stat) != 0) {
    damaged_archive(shown + " cannot be found");
  }
  if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE) {
    throw FormatError(ReadFailure::Kind::encrypted, "its " + shown + " is encrypted");
  }
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(archive_.get(), index, 0),
                                                               zip_fclose);
  if (!file) {
    damaged_archive(shown + " cannot be read (" + zip_strerror(archive_.get()) + ")");
  }
  std::string content;
  std::array<char, 65536> buffer;
  while (true) {
    const zip_int64_t count = zip_fread(file.get(), buffer.data(), buffer.size());
    if (count < 0) {
      damaged_archive(shown + " does not inflate");
    }
    if (count == 0) {
      return content;
    }
    count_inflated(static_cast<std::size_t>(count));
    content.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace parley::retrieval::documents
