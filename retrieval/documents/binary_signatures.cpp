// Files that begin with a number of their own.
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "retrieval/documents/format_detection.h"
#include "retrieval/documents/zip_entries.h"

namespace parley::retrieval::documents {

namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view magic;
  std::size_t offset = 0;
  Format format = Format::refused;
  std::string_view media_type;
  std::string_view refusal;
};

constexpr std::string_view kPicture = "It is a picture: there is no text in it to read.";
constexpr std::string_view kSound = "It is sound or video: there is no text in it to read.";
constexpr std::string_view kProgram = "It is a program or a library: there is no text in it to read.";
constexpr std::string_view kArchive = "It is an archive of many files: unpack it to have them read.";
constexpr std::string_view kFont = "It is a font: there is no text in it to read.";
constexpr std::string_view kDatabase = "It is a database: it is not read.";
constexpr std::string_view kCompressed =
    "It is compressed in a way that is not read (gzip, bzip2 and xz are).";
constexpr std::string_view kOldOffice =
    "It is an Office file of before 2007 (or another compound file): save it as .docx, .xlsx or .pptx to "
    "have it "
    "read.";
constexpr std::string_view kEncrypted = "It is encrypted.";
constexpr std::string_view kPostScript = "It is PostScript: make a PDF of it to have it read.";

constexpr std::array kSignatures = {
    Signature{"%PDF-", 0, Format::pdf, "application/pdf", ""},
    Signature{"{\\rtf", 0, Format::rtf, "application/rtf", ""},
    Signature{"\x1F\x8B", 0, Format::gzip, "application/gzip", ""},
    Signature{"BZh", 0, Format::bzip2, "application/x-bzip2", ""},
    Signature{"\xFD\x37zXZ\0"sv, 0, Format::xz, "application/x-xz", ""},
    Signature{"\x89PNG\r\n", 0, Format::refused, "image/png", kPicture},
    Signature{"\xFF\xD8\xFF", 0, Format::refused, "image/jpeg", kPicture},
    Signature{"GIF8", 0, Format::refused, "image/gif", kPicture},
    Signature{"II*\0"sv, 0, Format::refused, "image/tiff", kPicture},
    Signature{"MM\0*"sv, 0, Format::refused, "image/tiff", kPicture},
    Signature{"WEBP", 8, Format::refused, "image/webp", kPicture},
    Signature{"\0\0\1\0"sv, 0, Format::refused, "image/x-icon", kPicture},
    Signature{"ftypavif", 4, Format::refused, "image/avif", kPicture},
    Signature{"ftypheic", 4, Format::refused, "image/heic", kPicture},
    Signature{"8BPS", 0, Format::refused, "image/vnd.adobe.photoshop", kPicture},
    Signature{"gimp xcf", 0, Format::refused, "image/x-xcf", kPicture},
    Signature{"AT&TFORM", 0, Format::refused, "image/vnd.djvu", "It is a DjVu file: it is not read yet."},
    Signature{"ftyp", 4, Format::refused, "video/mp4", kSound},
    Signature{"\x1A\x45\xDF\xA3", 0, Format::refused, "video/x-matroska", kSound},
    Signature{"OggS", 0, Format::refused, "audio/ogg", kSound},
    Signature{"fLaC", 0, Format::refused, "audio/flac", kSound},
    Signature{"ID3", 0, Format::refused, "audio/mpeg", kSound},
    Signature{"\xFF\xFB", 0, Format::refused, "audio/mpeg", kSound},
    Signature{"RIFF", 0, Format::refused, "audio/x-wav", kSound},
    Signature{"MThd", 0, Format::refused, "audio/midi", kSound},
    Signature{"\x7F"
              "ELF",
              0, Format::refused, "application/x-elf", kProgram},
    Signature{"MZ\x90", 0, Format::refused, "application/x-msdownload", kProgram},
    Signature{"\xCA\xFE\xBA\xBE", 0, Format::refused, "application/java-vm", kProgram},
    Signature{"\xCF\xFA\xED\xFE", 0, Format::refused, "application/x-mach-binary", kProgram},
    Signature{"\0asm"sv, 0, Format::refused, "application/wasm", kProgram},
    Signature{"dex\n", 0, Format::refused, "application/x-dex", kProgram},
    Signature{"!<arch>\n", 0, Format::refused, "application/x-archive", kArchive},
    Signature{"7z\xBC\xAF\x27\x1C", 0, Format::refused, "application/x-7z-compressed", kArchive},
    Signature{"Rar!\x1A\x07", 0, Format::refused, "application/vnd.rar", kArchive},
    Signature{"ustar", 257, Format::refused, "application/x-tar", kArchive},
    Signature{"070701", 0, Format::refused, "application/x-cpio", kArchive},
    Signature{"MSCF", 0, Format::refused, "application/vnd.ms-cab-compressed", kArchive},
    Signature{"\xED\xAB\xEE\xDB", 0, Format::refused, "application/x-rpm", kArchive},
    Signature{"CD001", 32769, Format::refused, "application/x-iso9660-image", kArchive},
    Signature{"\x28\xB5\x2F\xFD", 0, Format::refused, "application/zstd", kCompressed},
    Signature{"\x04\x22\x4D\x18", 0, Format::refused, "application/x-lz4", kCompressed},
    Signature{"LZIP", 0, Format::refused, "application/lzip", kCompressed},
    Signature{"\x1F\x9D", 0, Format::refused, "application/x-compress", kCompressed},
    Signature{"]\0\0"sv, 0, Format::refused, "application/x-lzma", kCompressed},
    Signature{"\0\1\0\0\0"sv, 0, Format::refused, "font/ttf", kFont},
    Signature{"OTTO", 0, Format::refused, "font/otf", kFont},
    Signature{"wOFF", 0, Format::refused, "font/woff", kFont},
    Signature{"wOF2", 0, Format::refused, "font/woff2", kFont},
    Signature{"SQLite format 3\0"sv, 0, Format::refused, "application/vnd.sqlite3", kDatabase},
    Signature{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", 0, Format::refused, "application/x-ole-storage",
              kOldOffice},
    Signature{"Salted__", 0, Format::refused, "application/octet-stream", kEncrypted},
    Signature{"-----BEGIN PGP MESSAGE", 0, Format::refused, "application/pgp-encrypted", kEncrypted},
    Signature{"%!PS", 0, Format::refused, "application/postscript", kPostScript},
    Signature{"GGUF", 0, Format::refused, "application/octet-stream",
              "It is a model's weights: they are not read."},
    Signature{"\xDE\x12\x04\x95", 0, Format::refused, "application/x-gettext",
              "It is a compiled message catalogue."},
};

// "RIFF" and "OTTO" may also be what a text begins with; such a file has a NUL near its beginning or is none.
bool is_believable_mark(const Signature& signature, std::string_view bytes) {
  constexpr std::size_t kHead = 4096;
  const bool is_word = std::isalnum(static_cast<unsigned char>(signature.magic.front())) != 0;
  return !is_word || signature.format != Format::refused || bytes.substr(0, kHead).find('\0') != bytes.npos;
}

constexpr std::array kTextPictures = {"/* XPM */"sv, "P1\n"sv, "P3\n"sv};

DetectedFormat zip_format(std::string_view bytes) {
  switch (zip_content(bytes)) {
    case ZipContent::docx:
      return {Format::docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ""};
    case ZipContent::pptx:
      return {Format::pptx, "application/vnd.openxmlformats-officedocument.presentationml.presentation", ""};
    case ZipContent::xlsx:
      return {Format::xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ""};
    case ZipContent::odf:
      return {Format::odf, "application/vnd.oasis.opendocument", ""};
    case ZipContent::epub:
      return {Format::epub, "application/epub+zip", ""};
    case ZipContent::other:
      break;
  }
  return {Format::refused, "application/zip", std::string(kArchive)};
}

}  // namespace

DetectedFormat detect_binary_format(std::string_view bytes) {
  if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06")) return zip_format(bytes);
  // Readers of PDF take some bytes before its mark, and so do writers.
  constexpr std::size_t kPdfWithin = 1024;
  const std::size_t pdf = bytes.substr(0, kPdfWithin).find("%PDF-");
  for (const Signature& signature : kSignatures) {
    if (bytes.size() < signature.offset || !bytes.substr(signature.offset).starts_with(signature.magic))
      continue;
    if (!is_believable_mark(signature, bytes)) continue;
    return {signature.format, std::string(signature.media_type), std::string(signature.refusal)};
  }
  if (pdf != bytes.npos && bytes.find('\0') != bytes.npos) return {Format::pdf, "application/pdf", ""};
  for (const std::string_view mark : kTextPictures) {
    if (bytes.starts_with(mark)) return {Format::refused, "image/x-portable", std::string(kPicture)};
  }
  return {};
}

}  // namespace parley::retrieval::documents
