#include "retrieval/documents/rtf_document.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "retrieval/documents/format_error.h"
#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {

RtfDocument::RtfDocument(std::string_view bytes, int max_depth, BlockAssembler& out)
    : tokens_(bytes), max_depth_(max_depth), out_(out) {}

void RtfDocument::read() {
  for (RtfToken token = tokens_.next(); token.kind != RtfToken::Kind::end; token = tokens_.next()) {
    if (skip_ > 0 && token.kind != RtfToken::Kind::group_begin && token.kind != RtfToken::Kind::group_end) {
      --skip_;
      continue;
    }
    switch (token.kind) {
      case RtfToken::Kind::group_begin:
        begin_group();
        continue;
      case RtfToken::Kind::group_end:
        end_group();
        break;
      case RtfToken::Kind::word:
        read_word(token);
        break;
      case RtfToken::Kind::symbol:
        read_symbol(token.text.front());
        continue;  // "\*" is still at the start of its group
      case RtfToken::Kind::byte:
        if (state_.destination != Destination::skipped) {
          bytes_ += static_cast<char>(token.number);
        }
        break;
      case RtfToken::Kind::end:
        break;
    }
    is_group_start_ = false;
  }
  flush_bytes();
  if (!cells_.empty()) {
    end_row();
  }
  end_paragraph();
  write_table();
  out_.set_title(title_);
}

void RtfDocument::begin_group() {
  flush_bytes();
  skip_ = 0;
  if (outer_.size() >= static_cast<std::size_t>(max_depth_)) {
    throw FormatError(ReadFailure::Kind::over_limit,
                      "its groups nest deeper than " + std::to_string(max_depth_));
  }
  outer_.push_back(state_);
  is_group_start_ = true;
  is_ignorable_ = false;
}

void RtfDocument::end_group() {
  flush_bytes();
  skip_ = 0;
  if (outer_.empty()) {
    return;  // one brace too many
  }
  const State inner = std::exchange(state_, outer_.back());
  outer_.pop_back();
  if (inner.destination == Destination::footnote && state_.destination != Destination::footnote) {
    notes_.push_back(std::exchange(note_, {}));
  }
  if (inner.destination == Destination::style_sheet) {
    end_style();
  }
}

void RtfDocument::end_style() {
  std::string name = std::exchange(style_name_, {});
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view kHeading = "heading ";
  const std::size_t at = name.find(kHeading);
  int level = std::exchange(style_outline_, 0);
  if (at == 0 && name.size() > kHeading.size() && std::isdigit(name[kHeading.size()]) != 0) {
    level = std::max(name[kHeading.size()] - '0', 1);
  } else if (name.starts_with("title")) {
    level = 1;
  }
  if (level > 0) {
    style_headings_[style_] = level;
  }
  style_ = 0;
}

void RtfDocument::read_word(const RtfToken& token) {
  flush_bytes();
  if (state_.destination == Destination::skipped) {
    return;
  }
  const bool is_first = std::exchange(is_group_start_, false);
  if (is_first && read_destination(token.text)) {
    return;
  }
  const bool is_known = read_document_word(token) || read_paragraph_word(token) || read_character_word(token);
  if (is_first && is_ignorable_ && !is_known) {
    state_.destination = Destination::skipped;
  }
}

bool RtfDocument::read_destination(std::string_view word) {
  static const std::map<std::string_view, Destination> kDestinations = {
      {"fonttbl", Destination::font_table}, {"stylesheet", Destination::style_sheet},
      {"info", Destination::information},   {"title", Destination::title},
      {"footnote", Destination::footnote},  {"shpinst", Destination::body},
      {"colortbl", Destination::skipped},   {"pict", Destination::skipped},
      {"header", Destination::skipped},     {"headerl", Destination::skipped},
      {"headerr", Destination::skipped},    {"headerf", Destination::skipped},
      {"footer", Destination::skipped},     {"footerl", Destination::skipped},
      {"footerr", Destination::skipped},    {"footerf", Destination::skipped},
      {"fldinst", Destination::skipped},    {"objdata", Destination::skipped},
      {"objclass", Destination::skipped},   {"sp", Destination::skipped},
      {"annotation", Destination::skipped}, {"filetbl", Destination::skipped},
      {"nonshppict", Destination::skipped}, {"nonesttables", Destination::skipped},
      {"listtable", Destination::skipped},  {"revtbl", Destination::skipped},
      {"themedata", Destination::skipped},  {"datastore", Destination::skipped},
      {"listtext", Destination::skipped},   {"pntext", Destination::skipped},
      {"atnid", Destination::skipped},      {"atnauthor", Destination::skipped}};
  const auto found = kDestinations.find(word);
  if (found == kDestinations.end()) {
    return false;
  }
  if (word == "listtext" || word == "pntext") {
    outer_.back().is_in_list = true;  // the bullet or number of the paragraph around
  }
  if (found->second != Destination::body) {
    state_.destination = found->second;
  }
  return true;
}

bool RtfDocument::read_document_word(const RtfToken& token) {
  const std::string_view word = token.text;
  if (word == "ansicpg") {
    default_code_page_ = token.number;
  } else if (word == "mac") {
    default_code_page_ = 10000;
  } else if (word == "pc") {
    default_code_page_ = 437;
  } else if (word == "pca") {
    default_code_page_ = 850;
  } else if (word == "f" || word == "deff") {
    state_.font = token.number;
  } else if (word == "fcharset") {
    if (state_.destination == Destination::font_table) {
      font_code_pages_[state_.font] = code_page_of_charset(token.number);
    }
  } else if (word == "s") {
    if (state_.destination == Destination::style_sheet) {
      style_ = token.number;
    } else {
      const auto found = style_headings_.find(token.number);
      state_.heading_level = found == style_headings_.end() ? 0 : found->second;
    }
  } else if (word == "outlinelevel") {
    const int level = token.number >= 0 && token.number < 9 ? token.number + 1 : 0;
    (state_.destination == Destination::style_sheet ? style_outline_ : state_.heading_level) = level;
  } else {
    return false;
  }
  return true;
}

bool RtfDocument::read_paragraph_word(const RtfToken& token) {
  const std::string_view word = token.text;
  if (word == "pard") {
    state_.is_in_table = state_.is_in_list = false;
    state_.heading_level = state_.list_level = 0;
  } else if (word == "par" || word == "sect" || word == "page") {
    end_paragraph();
  } else if (word == "line" || word == "softline") {
    put("\n");
  } else if (word == "intbl") {
    state_.is_in_table = true;
  } else if (word == "trowd") {
    is_header_row_ = false;
  } else if (word == "trhdr") {
    is_header_row_ = true;
  } else if (word == "cell") {
    end_cell();
  } else if (word == "nestcell" || word == "nestrow") {
    put(" ");  // a table inside a cell is read as its text
  } else if (word == "row") {
    end_row();
  } else if (word == "ls") {
    state_.is_in_list = token.number > 0;
  } else if (word == "ilvl") {
    state_.list_level = std::clamp(token.number, 0, 8);
  } else {
    return false;
  }
  return true;
}

bool RtfDocument::read_character_word(const RtfToken& token) {
  static const std::map<std::string_view, std::string_view> kCharacters = {
      {"tab", "\t"},        {"emdash", "\u2014"},    {"endash", "\u2013"},    {"lquote", "\u2018"},
      {"rquote", "\u2019"}, {"ldblquote", "\u201C"}, {"rdblquote", "\u201D"}, {"bullet", "\u2022"},
      {"emspace", " "},     {"enspace", " "},        {"qmspace", " "},        {"zwj", "\u200D"},
      {"zwnj", "\u200C"}};
  if (token.text == "u") {
    read_unicode(token.number);
  } else if (token.text == "uc") {
    state_.unicode_skip = std::clamp(token.number, 0, 16);
  } else if (token.text == "v") {
    state_.is_hidden = !token.has_number || token.number != 0;
  } else if (token.text == "deleted") {
    state_.is_deleted = !token.has_number || token.number != 0;
  } else if (token.text == "plain") {
    state_.is_hidden = state_.is_deleted = false;
  } else if (const auto found = kCharacters.find(token.text); found != kCharacters.end()) {
    put(found->second);
  } else {
    return false;
  }
  return true;
}

void RtfDocument::read_unicode(int unit) {
  unit &= 0xFFFF;  // written as signed numbers
  skip_ = state_.unicode_skip;
  if (unit >= 0xD800 && unit < 0xDC00) {
    high_surrogate_ = unit;
    return;
  }
  auto code_point = static_cast<char32_t>(unit);
  const int high = std::exchange(high_surrogate_, 0);
  if (unit >= 0xDC00 && unit < 0xE000 && high != 0) {
    code_point =
        0x10000 + (static_cast<char32_t>(high - 0xD800) << 10) + static_cast<char32_t>(unit - 0xDC00);
  }
  std::string text;
  put_code_point(text, code_point);
  put(text);
}

void RtfDocument::read_symbol(char symbol) {
  if (symbol == '*') {
    is_ignorable_ = true;
    return;
  }
  flush_bytes();
  is_group_start_ = false;
  if (symbol == '~') {
    put(" ");
  } else if (symbol == '_') {
    put("-");
  } else if (symbol == '\r' || symbol == '\n') {
    read_paragraph_word({RtfToken::Kind::word, "par"});
  } else if (symbol == '\\' || symbol == '{' || symbol == '}') {
    put(std::string_view(&symbol, 1));
  }
}

void RtfDocument::flush_bytes() {
  if (bytes_.empty()) {
    return;
  }
  const auto found = font_code_pages_.find(state_.font);
  const int code_page =
      found == font_code_pages_.end() || found->second == 0 ? default_code_page_ : found->second;
  put(charset_.utf8(std::exchange(bytes_, {}), code_page));
}

void RtfDocument::put(std::string_view utf8) {
  if (state_.is_hidden || state_.is_deleted) {
    return;
  }
  switch (state_.destination) {
    case Destination::body:
      paragraph_ += utf8;
      break;
    case Destination::footnote:
      note_ += utf8;
      break;
    case Destination::style_sheet:
      style_name_ += utf8;
      break;
    case Destination::title:
      title_ += utf8;
      break;
    case Destination::font_table:
    case Destination::information:
    case Destination::skipped:
      break;
  }
}

void RtfDocument::end_paragraph() {
  if (state_.destination == Destination::footnote) {
    note_ += '\n';
    return;
  }
  if (state_.destination != Destination::body) {
    return;
  }
  if (state_.is_in_table) {
    paragraph_ += '\n';
    return;
  }
  write_table();
  const std::string text = std::exchange(paragraph_, {});
  if (state_.heading_level > 0) {
    out_.add(BlockKind::heading, text, state_.heading_level);
  } else if (state_.is_in_list) {
    out_.add(BlockKind::list_item, text, state_.list_level + 1);
  } else {
    out_.add(BlockKind::paragraph, text);
  }
  for (const std::string& note : std::exchange(notes_, {})) {
    out_.add(BlockKind::paragraph, note);
  }
}

void RtfDocument::end_cell() {
  if (state_.destination == Destination::body) {
    cells_.push_back(std::exchange(paragraph_, {}));
  }
}

void RtfDocument::end_row() {
  rows_.add(std::exchange(cells_, {}), is_header_row_ ? TableRows::Header::yes : TableRows::Header::no);
}

void RtfDocument::write_table() {
  if (!cells_.empty()) {
    end_row();
  }
  rows_.write(out_);
}

}  // namespace parley::retrieval::documents
