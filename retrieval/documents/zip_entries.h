#pragma once
// Which document a ZIP archive is, by the names of its entries; nothing is inflated, and no offset in it is
// believed. Pure function, any thread.

#include <cstdint>
#include <string_view>

namespace parley::retrieval::documents {

enum class ZipContent : std::uint8_t { docx, pptx, xlsx, odf, epub, other };

ZipContent zip_content(std::string_view bytes);

}  // namespace parley::retrieval::documents
