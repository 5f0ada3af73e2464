#pragma once
// SHA-256: of a passage's text (what its vector is cached by) and of a file's bytes. Pure, any thread. Throws
// std::runtime_error when the crypto library has no SHA-256.

#include <string_view>

#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

TextHash hash_text(std::string_view bytes);

}  // namespace parley::retrieval::index
