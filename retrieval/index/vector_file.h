#pragma once
// The file of a vector index: a header with magic, version, sizes, model and checksum, then ids, scales, int8
// codes and halves by chunks as VectorRows has them, so that a file is mapped and not read in. Pure, any
// thread. Throws std::runtime_error for a file that cannot be written.

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "retrieval/index/stored_document.h"
#include "retrieval/index/vector_rows.h"

namespace parley::retrieval::index {

struct VectorFile {
  std::vector<PassageId> ids;  // of each row
  VectorRows rows;
};

// Writes beside it, flushes, renames, flushes the folder: the file is whole, or the old one. All rows belong
// to an id.
void write_vector_file(const std::filesystem::path& file, std::string_view model, const VectorFile& content);

// None: the file is missing, torn, of another model or version.
std::optional<VectorFile> map_vector_file(const std::filesystem::path& file, std::string_view model);

}  // namespace parley::retrieval::index
