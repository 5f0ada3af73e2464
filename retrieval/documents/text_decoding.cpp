#include "retrieval/documents/text_decoding.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "retrieval/documents/charset.h"
#include "retrieval/documents/utf8.h"

namespace parley::retrieval::documents {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMarks = {{
    {std::string_view("\xEF\xBB\xBF", 3), "UTF-8"},
    {std::string_view("\xFF\xFE\0\0", 4), "UTF-32LE"},
    {std::string_view("\0\0\xFE\xFF", 4), "UTF-32BE"},
    {std::string_view("\xFF\xFE", 2), "UTF-16LE"},
    {std::string_view("\xFE\xFF", 2), "UTF-16BE"},
}};

ReadFailure not_text() {
  return {ReadFailure::Kind::unsupported, "Its bytes are no text, and no format that can be read."};
}

ReadFailure too_much_text(const ReadLimits& limits) {
  return {ReadFailure::Kind::over_limit,
          "Its text is larger than " + std::to_string(limits.max_text_bytes >> 20) + " MB."};
}

bool is_control(unsigned char byte) {
  return byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t' && byte != '\f' && byte != 0x1B &&
         byte != '\b';
}

// One control character in a hundred is not text any more; a few stray ones are.
bool has_too_many_controls(std::string_view bytes) {
  constexpr std::size_t kSample = 1 << 20;
  const std::string_view sample = bytes.substr(0, kSample);
  const auto count = std::count_if(sample.begin(), sample.end(),
                                   [](char c) { return is_control(static_cast<unsigned char>(c)); });
  return static_cast<std::size_t>(count) > 2 + sample.size() / 100;
}

// Text that a broken program or a cut made invalid in places: at most one bad byte for nine good characters.
bool is_mostly_utf8(std::string_view bytes) {
  std::size_t good = 0, bad = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = utf8_length_at(bytes, at);
    good += length > 1 ? 1 : 0;
    bad += length == 0 ? 1 : 0;
    at += std::max<std::size_t>(length, 1);
  }
  return bad == 0 || good > bad * 9;
}

bool is_iso_2022_jp(std::string_view bytes) {
  return bytes.find("\x1B$B") != std::string_view::npos || bytes.find("\x1B$@") != std::string_view::npos;
}

std::optional<DecodedText> converted(std::string_view bytes, const std::string& charset,
                                     const ReadLimits& limits) {
  // Normalising only makes text shorter, but for what it is made of: three bytes for a bad one.
  std::optional<ConvertedText> text = convert_to_utf8(bytes, charset, limits.max_text_bytes * 3);
  if (!text) return std::nullopt;
  if (text->num_errors > 2 + bytes.size() / 100) return std::nullopt;
  return DecodedText{std::move(text->utf8), charset};
}

std::optional<DecodedText> decoded_as(std::string_view bytes, const std::string& charset,
                                      const ReadLimits& limits) {
  if (charset.empty()) return std::nullopt;
  if (charset != "UTF-8") return converted(bytes, charset, limits);
  if (!is_mostly_utf8(bytes)) return std::nullopt;
  return DecodedText{std::string(bytes), charset};
}

// ASCII bytes in a file that is said to be UTF-16 are what HTML's <meta> often brings: such a claim is wrong.
bool is_believable(std::string_view bytes, const std::string& charset) {
  const bool wide = charset.starts_with("UTF-16") || charset.starts_with("UTF-32");
  return !wide || bytes.find('\0') != std::string_view::npos || !is_valid_utf8(bytes);
}

std::optional<DecodedText> decoded_by_bytes(std::string_view bytes, const ReadLimits& limits) {
  const std::string wide = guess_wide_charset(bytes);
  if (!wide.empty()) return converted(bytes, wide, limits);
  if (has_too_many_controls(bytes)) return std::nullopt;
  if (is_iso_2022_jp(bytes)) {
    std::optional<DecodedText> japanese = converted(bytes, "ISO-2022-JP", limits);
    if (japanese) return japanese;
  }
  if (is_mostly_utf8(bytes)) return DecodedText{std::string(bytes), "UTF-8"};
  std::optional<DecodedText> guessed = converted(bytes, guess_charset(bytes), limits);
  if (guessed) return guessed;
  return converted(bytes, "windows-1252", limits);
}

std::optional<DecodedText> decoded(std::string_view bytes, std::string_view declared,
                                   const ReadLimits& limits) {
  for (const auto& [mark, charset] : kMarks) {
    if (!bytes.starts_with(mark)) continue;
    return decoded_as(bytes.substr(mark.size()), std::string(charset), limits);
  }
  const std::string charset = canonical_charset(declared);
  if (!charset.empty() && is_believable(bytes, charset)) {
    std::optional<DecodedText> text = decoded_as(bytes, charset, limits);
    if (text && !has_too_many_controls(text->text)) return text;
  }
  return decoded_by_bytes(bytes, limits);
}

}  // namespace

Decoding decode_text(std::string_view bytes, std::string_view declared_charset, const ReadLimits& limits) {
  std::optional<DecodedText> text = decoded(bytes, declared_charset, limits);
  if (!text) return not_text();
  if (has_too_many_controls(text->text)) return not_text();
  text->text = normalised_text(text->text);
  if (text->text.size() > limits.max_text_bytes) return too_much_text(limits);
  return *std::move(text);
}

}  // namespace parley::retrieval::documents
