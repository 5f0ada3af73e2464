#pragma once
// A ReadOutcome as bytes and back. Whoever decodes does not trust whoever encoded: texts must be valid UTF-8
// without NUL, ranges must ascend within the text and cut no character, counts must keep to the limits. Pure
// functions, any thread.

#include <optional>
#include <string>
#include <string_view>

#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::documents {

std::string encoded_outcome(const ReadOutcome& outcome);
// nullopt: the bytes are none.
std::optional<ReadOutcome> decoded_outcome(std::string_view bytes, const ReadLimits& limits);

// No outcome within these limits takes more bytes.
std::size_t max_outcome_bytes(const ReadLimits& limits);

}  // namespace parley::retrieval::documents
