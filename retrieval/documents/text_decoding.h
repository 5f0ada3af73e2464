#pragma once
// Bytes of a text file to UTF-8: by byte order mark, by the charset that is declared for it, by being valid
// UTF-8, and only then by ICU's detection. Pure functions, any thread.
//
// The text that comes out is what all positions count in: lines end with '\n' (from CR LF, CR, form feed,
// NEL), there is no NUL and no other control character but tab, overstruck characters (nroff) are there once,
// and terminal colours are gone.

#include <string>
#include <string_view>
#include <variant>

#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::documents {

struct DecodedText {
  std::string text;
  std::string encoding;  // "UTF-8", "windows-1252": as IANA or WHATWG name it
};

using Decoding = std::variant<DecodedText, ReadFailure>;

// A ReadFailure: the bytes are no text (unsupported), or more than limits.max_text_bytes of it (over_limit).
// A declared charset that is unknown, or that the bytes contradict, counts as none.
Decoding decode_text(std::string_view bytes, std::string_view declared_charset, const ReadLimits& limits);

// What the bytes say of their own charset: an XML declaration, HTML's <meta>, a coding line of a source file
// (PEP 263), POD's =encoding. Empty: nothing.
std::string declared_charset_of(std::string_view bytes);

// The normalisation described above, for text that comes from elsewhere (a mail's part). Invalid UTF-8 is
// repaired.
std::string normalised_text(std::string_view utf8);

}  // namespace parley::retrieval::documents
