#include "retrieval/documents/rtf_charset.h"

#include <unicode/ucnv.h>

#include <algorithm>
#include <vector>

#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {

struct RtfCharset::Converter {
  explicit Converter(const std::string& name) {
    UErrorCode error = U_ZERO_ERROR;
    handle = ucnv_open(name.c_str(), &error);
    if (U_FAILURE(error) != 0) {
      handle = nullptr;
    }
  }
  ~Converter() { ucnv_close(handle); }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  UConverter* handle = nullptr;
};

RtfCharset::RtfCharset() = default;
RtfCharset::~RtfCharset() = default;

std::string RtfCharset::utf8(std::string_view bytes, int code_page) {
  constexpr int kLatin = 1252;
  constexpr std::size_t kMaxConverters = 64;
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(bytes.begin(), bytes.end(), is_ascii)) {
    return std::string(bytes);
  }
  if (converters_.size() >= kMaxConverters && converters_.find(code_page) == converters_.end()) {
    code_page = kLatin;
  }
  auto& converter = converters_[code_page];
  if (!converter) {
    const bool is_windows = code_page >= 1250 || (code_page >= 874 && code_page <= 950);
    const std::string name = code_page == 10000 ? "macintosh"
                             : code_page == 65001
                                 ? "UTF-8"
                                 : (is_windows ? "windows-" : "ibm-") + std::to_string(code_page);
    converter = std::make_unique<Converter>(name);
    if (converter->handle == nullptr) {
      converter = std::make_unique<Converter>("windows-1252");
    }
  }
  UErrorCode error = U_ZERO_ERROR;
  std::vector<UChar> units(bytes.size() * 2 + 1);
  const int length = ucnv_toUChars(converter->handle, units.data(), static_cast<int32_t>(units.size()),
                                   bytes.data(), static_cast<int32_t>(bytes.size()), &error);
  std::string out;
  if (U_FAILURE(error) != 0) {
    put_code_point(out, kReplacementCharacter);
    return out;
  }
  const std::string_view memory(reinterpret_cast<const char*>(units.data()),
                                static_cast<std::size_t>(length) * sizeof(UChar));
  return utf8_from_utf16(memory, ByteOrder::little);
}

int code_page_of_charset(int charset) {
  static const std::map<int, int> kCodePages = {
      {77, 10000}, {128, 932},  {129, 949},  {130, 1361}, {134, 936},  {136, 950}, {161, 1253}, {162, 1254},
      {163, 1258}, {177, 1255}, {178, 1256}, {186, 1257}, {204, 1251}, {222, 874}, {238, 1250}, {254, 437}};
  const auto found = kCodePages.find(charset);
  return found == kCodePages.end() ? 0 : found->second;
}

}  // namespace parley::retrieval::documents
