#pragma once
// Members of a ZIP archive in memory, by name. What the archive says about sizes is not believed: bytes are
// counted while they are inflated, over all members together. Names are only looked up, never paths to write
// to, so absolute and ".." ones do no harm.
//
// One thread. Throws FormatError: damaged, encrypted, or over_limit (entries, inflated bytes, ratio).

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "retrieval/documents/document_reader.h"

struct zip;

namespace parley::retrieval::documents {

class ZipArchive {
 public:
  // Borrows both.
  ZipArchive(std::string_view bytes, const ReadLimits& limits);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  bool contains(std::string_view name) const { return indices_.find(name) != indices_.end(); }
  std::string read(std::string_view name);  // damaged when there is none
  std::optional<std::string> read_if_there(std::string_view name);

 private:
  struct Closer {
    void operator()(zip* archive) const;
  };
  std::string inflate(std::size_t index, std::string_view name);
  void count_inflated(std::size_t bytes);

  const std::size_t archive_bytes_;
  const ReadLimits& limits_;
  std::unique_ptr<zip, Closer> archive_;
  std::map<std::string, std::size_t, std::less<>> indices_;
  std::size_t inflated_bytes_ = 0;
};

}  // namespace parley::retrieval::documents
