#pragma once
// The table from format to reader for formats that are no text.

#include <memory>
#include <utility>
#include <vector>

#include "retrieval/documents/document_reader.h"
#include "retrieval/documents/format_detection.h"

namespace parley::retrieval::documents {

using BinaryReader = std::pair<Format, std::unique_ptr<DocumentReader>>;

std::vector<BinaryReader> make_binary_readers();

}  // namespace parley::retrieval::documents
