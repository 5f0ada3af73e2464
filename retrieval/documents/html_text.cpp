#include "retrieval/documents/html_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <vector>

#include "retrieval/documents/text_lines.h"

namespace parley::retrieval::documents {

namespace {

constexpr std::array kSkippedTags = {
    GUMBO_TAG_SCRIPT,   GUMBO_TAG_STYLE,  GUMBO_TAG_NAV,    GUMBO_TAG_NOSCRIPT,
    GUMBO_TAG_TEMPLATE, GUMBO_TAG_SVG,    GUMBO_TAG_IFRAME, GUMBO_TAG_OBJECT,
    GUMBO_TAG_SELECT,   GUMBO_TAG_BUTTON, GUMBO_TAG_INPUT,  GUMBO_TAG_HEAD,
    GUMBO_TAG_CANVAS,   GUMBO_TAG_AUDIO,  GUMBO_TAG_VIDEO,  GUMBO_TAG_TEXTAREA};

constexpr std::array kBlockTags = {
    GUMBO_TAG_ADDRESS, GUMBO_TAG_ARTICLE,   GUMBO_TAG_ASIDE,    GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_BODY,
    GUMBO_TAG_CENTER,  GUMBO_TAG_DD,        GUMBO_TAG_DETAILS,  GUMBO_TAG_DIR,        GUMBO_TAG_DIV,
    GUMBO_TAG_DL,      GUMBO_TAG_DT,        GUMBO_TAG_FIELDSET, GUMBO_TAG_FIGCAPTION, GUMBO_TAG_FIGURE,
    GUMBO_TAG_FOOTER,  GUMBO_TAG_FORM,      GUMBO_TAG_HEADER,   GUMBO_TAG_HGROUP,     GUMBO_TAG_HR,
    GUMBO_TAG_HTML,    GUMBO_TAG_LEGEND,    GUMBO_TAG_LI,       GUMBO_TAG_MAIN,       GUMBO_TAG_MENU,
    GUMBO_TAG_OL,      GUMBO_TAG_P,         GUMBO_TAG_PRE,      GUMBO_TAG_SECTION,    GUMBO_TAG_SUMMARY,
    GUMBO_TAG_TABLE,   GUMBO_TAG_TBODY,     GUMBO_TAG_THEAD,    GUMBO_TAG_TFOOT,      GUMBO_TAG_TR,
    GUMBO_TAG_TD,      GUMBO_TAG_TH,        GUMBO_TAG_CAPTION,  GUMBO_TAG_UL,         GUMBO_TAG_XMP,
    GUMBO_TAG_LISTING, GUMBO_TAG_PLAINTEXT, GUMBO_TAG_FRAMESET, GUMBO_TAG_NOFRAMES};

template <typename Tags>
bool has_tag(const Tags& tags, GumboTag tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    const bool begins = at == 0 || is_space(list[at - 1]);
    const bool ends = at + word.size() == list.size() || is_space(list[at + word.size()]);
    if (begins && ends) return true;
  }
  return false;
}

bool is_layout_content(GumboTag tag) {
  return html_heading_level(tag) > 0 || tag == GUMBO_TAG_TABLE || tag == GUMBO_TAG_UL ||
         tag == GUMBO_TAG_OL || tag == GUMBO_TAG_DL || tag == GUMBO_TAG_PRE || tag == GUMBO_TAG_BLOCKQUOTE;
}

std::string_view tag_name_at(std::string_view html, std::size_t at) {
  std::size_t end = at;
  constexpr std::size_t kLongest = 12;
  while (end < html.size() && end - at < kLongest && std::isalnum(static_cast<unsigned char>(html[end])) != 0)
    ++end;
  return html.substr(at, end - at);
}

// Elements that end by themselves when the next of their kind or their parent's end comes.
bool closes_itself(GumboTag tag) {
  constexpr std::array kTags = {
      GUMBO_TAG_P,     GUMBO_TAG_LI,    GUMBO_TAG_TD,     GUMBO_TAG_TR,    GUMBO_TAG_TH,
      GUMBO_TAG_DD,    GUMBO_TAG_DT,    GUMBO_TAG_OPTION, GUMBO_TAG_TBODY, GUMBO_TAG_THEAD,
      GUMBO_TAG_TFOOT, GUMBO_TAG_A,     GUMBO_TAG_BR,     GUMBO_TAG_HR,    GUMBO_TAG_IMG,
      GUMBO_TAG_INPUT, GUMBO_TAG_META,  GUMBO_TAG_LINK,   GUMBO_TAG_BASE,  GUMBO_TAG_COL,
      GUMBO_TAG_AREA,  GUMBO_TAG_EMBED, GUMBO_TAG_PARAM,  GUMBO_TAG_WBR,   GUMBO_TAG_BUTTON};
  return has_tag(kTags, tag);
}

// Not <a>: a second one closes the first.
bool formats(GumboTag tag) {
  constexpr std::array kTags = {GUMBO_TAG_B,      GUMBO_TAG_BIG,    GUMBO_TAG_CODE, GUMBO_TAG_EM,
                                GUMBO_TAG_FONT,   GUMBO_TAG_I,      GUMBO_TAG_S,    GUMBO_TAG_SMALL,
                                GUMBO_TAG_STRIKE, GUMBO_TAG_STRONG, GUMBO_TAG_TT,   GUMBO_TAG_U,
                                GUMBO_TAG_NOBR};
  return has_tag(kTags, tag);
}

// Counts tags as they stand; a tree is at most about as deep.
class TagCount {
 public:
  void open(GumboTag tag, std::string_view name, bool closes_at_once) {
    if (tag == GUMBO_TAG_SVG || tag == GUMBO_TAG_MATH) {
      in_drawing_ = true;
    } else if (!is_drawing(name)) {
      in_drawing_ = false;  // the parser may be back in HTML, where "/>" closes nothing
    } else if (in_drawing_ && closes_at_once) {
      return;
    }
    if (formats(tag)) ++formatting_;
    if (!closes_itself(tag)) ++depth_;
    deepest_ = std::max(deepest_, depth_ + formatting_);
    copies_ += formatting_;  // a new element may carry copies of all formatting that is open
  }
  void close(GumboTag tag) {
    if (tag == GUMBO_TAG_SVG || tag == GUMBO_TAG_MATH) in_drawing_ = false;
    if (formats(tag)) formatting_ -= formatting_ > 0 ? 1 : 0;
    if (!closes_itself(tag)) depth_ -= depth_ > 0 ? 1 : 0;
  }
  std::size_t deepest() const { return deepest_; }
  std::size_t copies() const { return copies_; }

 private:
  static bool is_drawing(std::string_view name) {
    constexpr std::array<std::string_view, 16> kNames = {
        "path", "circle", "rect", "line",  "polyline", "polygon", "ellipse", "use",
        "stop", "g",      "text", "tspan", "defs",     "mi",      "mo",      "mn"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
  }

  std::size_t depth_ = 0, formatting_ = 0, deepest_ = 0, copies_ = 0;
  bool in_drawing_ = false;
};

}  // namespace

bool is_skipped_element(const GumboNode& node) {
  const GumboElement& element = node.v.element;
  if (has_tag(kSkippedTags, element.tag)) return true;
  if (element.attributes.length == 0) return false;
  return html_attribute(node, "role") == "navigation" ||
         has_word(html_attribute(node, "class"), "headerlink") ||
         gumbo_get_attribute(&element.attributes, "hidden") != nullptr;
}

bool is_block_element(GumboTag tag) { return has_tag(kBlockTags, tag) || html_heading_level(tag) > 0; }

int html_heading_level(GumboTag tag) {
  return tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6
             ? static_cast<int>(tag) - static_cast<int>(GUMBO_TAG_H1) + 1
             : 0;
}

std::string_view html_attribute(const GumboNode& node, const char* name) {
  const GumboAttribute* attribute = gumbo_get_attribute(&node.v.element.attributes, name);
  return attribute == nullptr ? std::string_view() : attribute->value;
}

bool is_layout_table(const GumboNode& table) {
  std::vector<const GumboNode*> waiting = {&table};
  while (!waiting.empty()) {
    const GumboNode* node = waiting.back();
    waiting.pop_back();
    const GumboVector& children = node->v.element.children;
    for (unsigned i = 0; i < children.length; ++i) {
      const auto* child = static_cast<const GumboNode*>(children.data[i]);
      if (child->type != GUMBO_NODE_ELEMENT) continue;
      if (is_layout_content(child->v.element.tag)) return true;
      waiting.push_back(child);
    }
  }
  return false;
}

void append_collapsed(std::string& text, std::string_view added) {
  for (const char c : added) {
    if (!is_space(c) && c != '\r' && c != '\f') {
      text += c;
    } else if (!text.empty() && !is_space(text.back())) {
      text += ' ';
    }
  }
}

std::string html_excess(std::string_view html, int max_depth) {
  // A page with many elements left open is deeper than its author meant.
  constexpr std::size_t kSlack = 16;
  constexpr std::size_t kMaxCopies = 4'000'000;
  constexpr std::size_t kLongestTag = 4096;
  TagCount count;
  for (std::size_t at = html.find('<'); at != html.npos; at = html.find('<', at + 1)) {
    const bool closing = at + 1 < html.size() && html[at + 1] == '/';
    const std::string_view name = tag_name_at(html, at + (closing ? 2 : 1));
    if (name.empty()) continue;
    const GumboTag tag = gumbo_tagn_enum(name.data(), static_cast<unsigned>(name.size()));
    if (closing) {
      count.close(tag);
    } else {
      const std::size_t end = html.substr(at, kLongestTag).find('>');
      count.open(tag, name, end != html.npos && html[at + end - 1] == '/');
    }
  }
  if (count.deepest() > static_cast<std::size_t>(max_depth) * kSlack)
    return "Its elements are nested too deep.";
  if (count.copies() > kMaxCopies) return "Its formatting elements are left open beyond measure.";
  return "";
}

}  // namespace parley::retrieval::documents
