#pragma once
// SHA-256 of a file's bytes. Any thread.

#include <optional>

#include "retrieval/index/stored_document.h"

namespace parley::retrieval::ingest {

// Of what `descriptor` holds from its beginning; its position is left alone. None: it cannot be read (errno
// says why).
std::optional<index::TextHash> hash_contents(int descriptor);

}  // namespace parley::retrieval::ingest
