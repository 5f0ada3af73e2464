#include "retrieval/documents/zip_entries.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace parley::retrieval::documents {

namespace {

std::optional<std::size_t> little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  if (at > bytes.size() || bytes.size() - at < count) return std::nullopt;
  std::size_t value = 0;
  for (std::size_t i = count; i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  return value;
}

ZipContent content_of_name(std::string_view name) {
  if (name.starts_with("word/")) return ZipContent::docx;
  if (name.starts_with("ppt/")) return ZipContent::pptx;
  if (name.starts_with("xl/")) return ZipContent::xlsx;
  if (name == "META-INF/container.xml") return ZipContent::epub;
  return ZipContent::other;
}

// ODF and EPUB put their type into a first entry, "mimetype", that is not compressed.
ZipContent content_of_mimetype(std::string_view bytes) {
  constexpr std::size_t kNameAt = 30;
  const std::string_view start = bytes.substr(0, 256);
  if (start.substr(start.size() < kNameAt ? start.size() : kNameAt, 8) != "mimetype")
    return ZipContent::other;
  if (start.find("application/epub+zip") != start.npos) return ZipContent::epub;
  if (start.find("application/vnd.oasis.opendocument.") != start.npos) return ZipContent::odf;
  return ZipContent::other;
}

// The list of entries is at the end; its own end says where it begins.
std::optional<std::size_t> find_directory(std::string_view bytes) {
  constexpr std::size_t kEndRecord = 22, kLongestComment = 0xFFFF;
  const std::size_t first =
      bytes.size() > kEndRecord + kLongestComment ? bytes.size() - kEndRecord - kLongestComment : 0;
  const std::size_t end = bytes.rfind("PK\x05\x06");
  if (end == bytes.npos || end < first) return std::nullopt;
  return little_endian(bytes, end + 16, 4);
}

// Entries in a row from `at`, central (in the directory) or local (before their contents).
ZipContent scan_directory(std::string_view bytes, std::size_t at) {
  constexpr int kMaxEntries = 10'000;
  for (int i = 0; i < kMaxEntries && at < bytes.size() && bytes.substr(at).starts_with("PK\x01\x02"); ++i) {
    const auto name = little_endian(bytes, at + 28, 2);
    const auto extra = little_endian(bytes, at + 30, 2);
    const auto comment = little_endian(bytes, at + 32, 2);
    constexpr std::size_t kHeader = 46;
    if (!name || !extra || !comment || bytes.size() - at < kHeader + *name) break;
    const ZipContent content = content_of_name(bytes.substr(at + kHeader, *name));
    if (content != ZipContent::other) return content;
    at += kHeader + *name + *extra + *comment;
  }
  return ZipContent::other;
}

// Of an archive that was cut off: the headers before the entries that are still there.
ZipContent scan_local_headers(std::string_view bytes) {
  constexpr std::size_t kHeader = 30;
  constexpr int kMaxEntries = 100;
  std::size_t at = 0;
  for (int i = 0; i < kMaxEntries && at != bytes.npos; ++i, at = bytes.find("PK\x03\x04", at + 4)) {
    const auto name = little_endian(bytes, at + 26, 2);
    if (!name || bytes.size() - at < kHeader + *name) break;
    const ZipContent content = content_of_name(bytes.substr(at + kHeader, *name));
    if (content != ZipContent::other) return content;
  }
  return ZipContent::other;
}

}  // namespace

ZipContent zip_content(std::string_view bytes) {
  ZipContent content = content_of_mimetype(bytes);
  if (content != ZipContent::other) return content;
  if (const auto directory = find_directory(bytes)) content = scan_directory(bytes, *directory);
  return content != ZipContent::other ? content : scan_local_headers(bytes);
}

}  // namespace parley::retrieval::documents
