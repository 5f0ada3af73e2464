#pragma once
// One file that is compressed with gzip, bzip2 or xz. What comes out is counted while it comes out; no size
// in the file is believed. Pure function, any thread.

#include <string>
#include <string_view>
#include <variant>

#include "retrieval/documents/document_reader.h"
#include "retrieval/documents/format_detection.h"

namespace parley::retrieval::documents {

// The file inside. Members or streams one behind the other are one file, as gunzip has it. A ReadFailure: it
// is damaged or cut off, more than limits allow, or an archive of many files.
std::variant<std::string, ReadFailure> decompressed_file(std::string_view bytes, Format format,
                                                         const ReadLimits& limits);

}  // namespace parley::retrieval::documents
