#include "retrieval/documents/pdf_source.h"

#include <poppler-document.h>
#include <poppler-image.h>
#include <poppler-page-renderer.h>
#include <poppler-page.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

#include "retrieval/documents/format_error.h"
#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {
namespace {

bool contains_any(const std::string& text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

std::string utf8_of(const poppler::ustring& text) {
  const std::string_view units(reinterpret_cast<const char*>(text.data()), text.size() * sizeof(text[0]));
  return utf8_from_utf16(units, ByteOrder::little);
}

// Ligatures as their letters: nobody searches for U+FB01.
std::string without_ligatures(const std::string& text) {
  static constexpr std::array<std::string_view, 7> kLetters = {"ff", "fi", "fl", "ffi", "ffl", "st", "st"};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = take_code_point(text, at);
    if (c >= 0xFB00 && c < 0xFB00 + kLetters.size()) {
      out += kLetters[c - 0xFB00];
    } else {
      put_code_point(out, c);
    }
  }
  return out;
}

PageWord page_word(const poppler::text_box& box) {
  PageWord word;
  // Poppler's fonts may have no name.
  std::string font = box.has_font_info() ? box.get_font_name() : "";
  std::transform(font.begin(), font.end(), font.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const poppler::rectf place = box.bbox();
  word.text = cleaned_text(without_ligatures(utf8_of(box.text())), Spacing::collapse);
  std::replace(word.text.begin(), word.text.end(), '\n', ' ');
  word.box = {static_cast<float>(place.left()), static_cast<float>(place.top()),
              static_cast<float>(place.right()), static_cast<float>(place.bottom())};
  word.size = box.has_font_info() ? static_cast<float>(std::fabs(box.get_font_size())) : 0;
  word.is_bold = contains_any(font, {"bold", "black", "heavy", "demi", "cmbx", "-bd"});
  word.is_monospaced =
      contains_any(font, {"mono", "courier", "cmtt", "typewriter", "consol", "menlo", "fixed"});
  word.has_space_after = box.has_space_after();
  return word;
}

// Words outside of the page are not printed, and numbers that are none come from broken files.
bool is_printed(const PageWord& word, const PdfPage& page) {
  const Box& box = word.box;
  const bool is_number = std::isfinite(box.left) && std::isfinite(box.right) && std::isfinite(box.top) &&
                         std::isfinite(box.bottom) && std::isfinite(word.size);
  return is_number && !word.text.empty() && box.left < box.right && box.top < box.bottom && box.right > 0 &&
         box.left < page.width && box.bottom > 0 && box.top < page.height;
}

Box upright_box(const Box& box, const PdfPage& page, int rotation) {
  switch (rotation) {
    case 1:  // reads downwards
      return {box.top, page.width - box.right, box.bottom, page.width - box.left};
    case 2:
      return {page.width - box.right, page.height - box.bottom, page.width - box.left, page.height - box.top};
    case 3:  // reads upwards
      return {page.height - box.bottom, box.left, page.height - box.top, box.right};
    default:
      return box;
  }
}

// Where fonts do not map their glyphs to characters, private and replacement characters come out.
bool is_garbled_text(const std::vector<PageWord>& words) {
  std::size_t num_characters = 0, num_unknown = 0;
  for (const PageWord& word : words) {
    for (std::size_t at = 0; at < word.text.size();) {
      const char32_t c = take_code_point(word.text, at);
      ++num_characters;
      num_unknown += c == kReplacementCharacter || (c >= 0xE000 && c < 0xF900) || c >= 0xF0000 ? 1 : 0;
    }
  }
  return num_characters > 20 && num_unknown * 3 > num_characters;
}

}  // namespace

struct PdfSource::Impl {
  std::unique_ptr<poppler::document> document;
};

PdfSource::PdfSource(std::string_view bytes) : impl_(std::make_unique<Impl>()) {
  poppler::set_debug_error_function([](const std::string&, void*) {}, nullptr);
  const int length = static_cast<int>(std::min<std::size_t>(bytes.size(), std::numeric_limits<int>::max()));
  impl_->document.reset(poppler::document::load_from_raw_data(bytes.data(), length));
  if (!impl_->document) {
    throw FormatError(ReadFailure::Kind::damaged, "it is damaged, or no PDF");
  }
  if (impl_->document->is_locked()) {
    throw FormatError(ReadFailure::Kind::encrypted, "it is protected by a password");
  }
}

PdfSource::~PdfSource() = default;

int PdfSource::num_pages() const { return impl_->document->pages(); }

std::string PdfSource::title() const { return utf8_of(impl_->document->get_title()); }

PdfPage PdfSource::read_page(int index) const {
  PdfPage page;
  const std::unique_ptr<poppler::page> source(impl_->document->create_page(index));
  if (!source) {
    return page;
  }
  const poppler::rectf area = source->page_rect();
  page.width = static_cast<float>(area.width());
  page.height = static_cast<float>(area.height());
  std::array<PdfText, 4> by_rotation;
  for (const poppler::text_box& box : source->text_list(poppler::page::text_list_include_font)) {
    PageWord word = page_word(box);
    if (is_printed(word, page)) {
      const int rotation = box.rotation() & 3;
      word.box = upright_box(word.box, page, rotation);
      word.size = word.size > 0 ? word.size : word.box.bottom - word.box.top;
      by_rotation[static_cast<std::size_t>(rotation)].words.push_back(std::move(word));
    }
  }
  for (int rotation = 0; rotation < 4; ++rotation) {
    PdfText& text = by_rotation[static_cast<std::size_t>(rotation)];
    text.rotation = rotation;
    if (!text.words.empty()) {
      page.is_garbled = page.is_garbled || is_garbled_text(text.words);
      page.texts.push_back(std::move(text));
    }
  }
  std::stable_sort(page.texts.begin(), page.texts.end(),
                   [](const PdfText& a, const PdfText& b) { return a.words.size() > b.words.size(); });
  return page;
}

Box PdfPage::on_page(const Box& box, int rotation) const {
  switch (rotation) {
    case 1:
      return {width - box.bottom, box.left, width - box.top, box.right};
    case 2:
      return {width - box.right, height - box.bottom, width - box.left, height - box.top};
    case 3:
      return {box.top, height - box.right, box.bottom, height - box.left};
    default:
      return box;
  }
}

bool PdfSource::has_ink(int index) const {
  constexpr double kDotsPerInch = 20;
  constexpr double kMaxSide = 20'000;  // points; larger pages are not drawn
  const std::unique_ptr<poppler::page> source(impl_->document->create_page(index));
  if (!source || source->page_rect().width() > kMaxSide || source->page_rect().height() > kMaxSide) {
    return false;
  }
  poppler::page_renderer renderer;
  renderer.set_image_format(poppler::image::format_gray8);
  const poppler::image image = renderer.render_page(source.get(), kDotsPerInch, kDotsPerInch);
  if (!image.is_valid()) {
    return false;
  }
  constexpr unsigned char kAlmostWhite = 0xF0;
  for (int y = 0; y < image.height(); ++y) {
    const auto* row = reinterpret_cast<const unsigned char*>(image.const_data()) +
                      static_cast<std::ptrdiff_t>(y) * image.bytes_per_row();
    if (std::any_of(row, row + image.width(), [](unsigned char gray) { return gray < kAlmostWhite; })) {
      return true;
    }
  }
  return false;
}

}  // namespace parley::retrieval::documents
