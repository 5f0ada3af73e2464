#include "retrieval/documents/charset.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/ucsdet.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "retrieval/documents/utf8.h"

namespace parley::retrieval::documents {

namespace {

using Converter = std::unique_ptr<UConverter, decltype(&ucnv_close)>;
using Detector = std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)>;

// Browsers read these labels as the larger set of Windows (WHATWG Encoding, section 4.2); files follow them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kWider = {{
    {"us-ascii", "windows-1252"},
    {"ascii", "windows-1252"},
    {"latin1", "windows-1252"},
    {"latin-1", "windows-1252"},
    {"iso-latin-1", "windows-1252"},
    {"iso-8859-1", "windows-1252"},
    {"iso8859-1", "windows-1252"},
    {"iso-8859-9", "windows-1254"},
    {"latin5", "windows-1254"},
    {"iso-8859-11", "windows-874"},
    {"tis-620", "windows-874"},
    {"gb2312", "gb18030"},
    {"gbk", "gb18030"},
    {"ks_c_5601-1987", "windows-949"},
    {"euc-kr", "windows-949"},
    {"sjis", "Shift_JIS"},
}};

std::string lower_case(std::string_view label) {
  std::string lower(label);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_' && !lower.starts_with("ks")) c = '-';
  }
  return lower;
}

Converter open_converter(const std::string& name) {
  UErrorCode error = U_ZERO_ERROR;
  Converter converter(ucnv_open(name.c_str(), &error), &ucnv_close);
  if (U_FAILURE(error)) converter.reset();
  return converter;
}

// What ICU calls a charset is no name that files use for some; those are given back as they were asked for.
std::string standard_name(const std::string& label) {
  UErrorCode error = U_ZERO_ERROR;
  const char* name = ucnv_getStandardName(label.c_str(), "MIME", &error);
  if (U_FAILURE(error) || name == nullptr) {
    error = U_ZERO_ERROR;
    name = ucnv_getStandardName(label.c_str(), "IANA", &error);
  }
  return U_FAILURE(error) || name == nullptr ? label : name;
}

void count_error(const void* context, UConverterToUnicodeArgs* arguments, const char* bytes, int32_t length,
                 UConverterCallbackReason reason, UErrorCode* error) {
  if (reason <= UCNV_IRREGULAR) ++*static_cast<std::size_t*>(const_cast<void*>(context));
  UCNV_TO_U_CALLBACK_SUBSTITUTE(nullptr, arguments, bytes, length, reason, error);
}

void append_units(std::string& utf8, const UChar* units, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    char32_t value = units[i];
    if (value >= 0xD800 && value < 0xDC00 && i + 1 < count && units[i + 1] >= 0xDC00 &&
        units[i + 1] < 0xE000) {
      value = 0x10000 + ((value - 0xD800) << 10) + (units[++i] - 0xDC00U);
    }
    append_code_point(utf8, value);
  }
}

// The detector looks at some thousand bytes from the beginning only: it is shown the lines that matter.
std::string telling_bytes(std::string_view bytes) {
  constexpr std::size_t kWanted = 16 << 10;
  constexpr std::size_t kAround = 40;
  std::string sample;
  std::size_t shown = 0;
  for (std::size_t at = 0; at < bytes.size() && sample.size() < kWanted; ++at) {
    if (static_cast<unsigned char>(bytes[at]) < 0x80) continue;
    const std::size_t begin = std::max(shown, at > kAround ? at - kAround : 0);
    shown = std::max(shown, std::min(bytes.size(), at + kAround));
    if (begin < shown) sample.append(bytes.substr(begin, shown - begin));
    at = std::max(at, shown - 1);
  }
  return sample;
}

bool is_guess_we_read(std::string_view name) {
  return !name.starts_with("UTF-16") && !name.starts_with("UTF-32") && !name.starts_with("IBM") &&
         !name.starts_with("ISO-2022") && name != "UTF-8";
}

}  // namespace

std::string canonical_charset(std::string_view label) {
  const std::string lower = lower_case(label.substr(0, 40));
  for (const auto& [from, to] : kWider) {
    if (lower == from) return std::string(to);
  }
  if (lower.empty() || lower == "utf-7" || lower.starts_with("ibm") || lower.starts_with("ebcdic")) return "";
  if (open_converter(lower) == nullptr) return "";
  return standard_name(lower);
}

std::optional<ConvertedText> convert_to_utf8(std::string_view bytes, const std::string& charset,
                                             std::size_t max_bytes) {
  const Converter converter = open_converter(charset);
  if (converter == nullptr) return std::nullopt;
  ConvertedText converted;
  UErrorCode error = U_ZERO_ERROR;
  ucnv_setToUCallBack(converter.get(), &count_error, &converted.num_errors, nullptr, nullptr, &error);
  std::array<UChar, 4096> units;
  const char* source = bytes.data();
  const char* end = bytes.data() + bytes.size();
  std::size_t carried = 0;  // a high surrogate whose other half is in the next piece
  for (bool more = true; more;) {
    UChar* target = units.data() + carried;
    error = U_ZERO_ERROR;
    ucnv_toUnicode(converter.get(), &target, units.data() + units.size(), &source, end, nullptr, true,
                   &error);
    more = error == U_BUFFER_OVERFLOW_ERROR;
    if (U_FAILURE(error) && !more) return std::nullopt;
    auto count = static_cast<std::size_t>(target - units.data());
    carried = more && count > 0 && units[count - 1] >= 0xD800 && units[count - 1] < 0xDC00 ? 1 : 0;
    append_units(converted.utf8, units.data(), count - carried);
    if (carried == 1) units[0] = units[count - 1];
    if (converted.utf8.size() > max_bytes) return std::nullopt;
  }
  return converted;
}

std::string guess_charset(std::string_view bytes) {
  const std::string sample = telling_bytes(bytes);
  UErrorCode error = U_ZERO_ERROR;
  const Detector detector(ucsdet_open(&error), &ucsdet_close);
  if (U_FAILURE(error)) return "windows-1252";
  ucsdet_setText(detector.get(), sample.data(), static_cast<int32_t>(sample.size()), &error);
  int32_t count = 0;
  const UCharsetMatch** matches = ucsdet_detectAll(detector.get(), &count, &error);
  constexpr int32_t kSure = 15;
  for (int32_t i = 0; U_SUCCESS(error) && i < count; ++i) {
    const char* name = ucsdet_getName(matches[i], &error);
    if (U_FAILURE(error) || ucsdet_getConfidence(matches[i], &error) < kSure) break;
    if (is_guess_we_read(name)) return canonical_charset(name);
  }
  return "windows-1252";
}

}  // namespace parley::retrieval::documents
