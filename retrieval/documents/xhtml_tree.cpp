#include "retrieval/documents/xhtml_tree.h"

#include <gumbo.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include <pugixml.hpp>

#include "retrieval/documents/format_error.h"
#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {
namespace {

struct NamedCharacter {
  std::string_view name;
  char32_t code_point;
};

// Those that books use; sorted by name.
constexpr NamedCharacter kNamedCharacters[] = {
    {"Agrave", 0xC0},  {"Auml", 0xC4},    {"Ccedil", 0xC7},   {"Eacute", 0xC9},   {"Ouml", 0xD6},
    {"Uuml", 0xDC},    {"aacute", 0xE1},  {"acirc", 0xE2},    {"aelig", 0xE6},    {"agrave", 0xE0},
    {"aring", 0xE5},   {"atilde", 0xE3},  {"auml", 0xE4},     {"bull", 0x2022},   {"ccedil", 0xE7},
    {"cent", 0xA2},    {"copy", 0xA9},    {"dagger", 0x2020}, {"deg", 0xB0},      {"divide", 0xF7},
    {"eacute", 0xE9},  {"ecirc", 0xEA},   {"egrave", 0xE8},   {"emsp", 0x2003},   {"ensp", 0x2002},
    {"euml", 0xEB},    {"euro", 0x20AC},  {"frac12", 0xBD},   {"hellip", 0x2026}, {"iacute", 0xED},
    {"icirc", 0xEE},   {"iexcl", 0xA1},   {"iquest", 0xBF},   {"iuml", 0xEF},     {"laquo", 0xAB},
    {"ldquo", 0x201C}, {"lsquo", 0x2018}, {"mdash", 0x2014},  {"middot", 0xB7},   {"minus", 0x2212},
    {"nbsp", 0xA0},    {"ndash", 0x2013}, {"ntilde", 0xF1},   {"oacute", 0xF3},   {"ocirc", 0xF4},
    {"oelig", 0x153},  {"oslash", 0xF8},  {"ouml", 0xF6},     {"para", 0xB6},     {"plusmn", 0xB1},
    {"pound", 0xA3},   {"prime", 0x2032}, {"raquo", 0xBB},    {"rdquo", 0x201D},  {"reg", 0xAE},
    {"rsquo", 0x2019}, {"sect", 0xA7},    {"shy", 0xAD},      {"szlig", 0xDF},    {"thinsp", 0x2009},
    {"times", 0xD7},   {"trade", 0x2122}, {"uacute", 0xFA},   {"ucirc", 0xFB},    {"ugrave", 0xF9},
    {"uuml", 0xFC},    {"yen", 0xA5},     {"zwj", 0x200D},    {"zwnj", 0x200C}};

const NamedCharacter* find_named(std::string_view name) {
  const auto* found = std::lower_bound(
      std::begin(kNamedCharacters), std::end(kNamedCharacters), name,
      [](const NamedCharacter& entry, std::string_view wanted) { return entry.name < wanted; });
  return found != std::end(kNamedCharacters) && found->name == name ? found : nullptr;
}

void copy_gumbo_node(const GumboNode* node, pugi::xml_node parent,
                     std::vector<std::pair<const GumboNode*, pugi::xml_node>>& waiting) {
  if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE ||
      node->type == GUMBO_NODE_CDATA) {
    parent.append_child(pugi::node_pcdata).set_value(node->v.text.text);
  } else if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE) {
    const char* name = gumbo_normalized_tagname(node->v.element.tag);
    pugi::xml_node element = parent.append_child(*name == '\0' ? "unknown" : name);
    for (unsigned index = 0; index < node->v.element.attributes.length; ++index) {
      const auto* attribute = static_cast<const GumboAttribute*>(node->v.element.attributes.data[index]);
      element.append_attribute(attribute->name).set_value(attribute->value);
    }
    waiting.emplace_back(node, element);
  }
}

// Gumbo's memory. It is let go at once, since Gumbo's own way recurses as deep as the page nests.
class GumboArena {
 public:
  static void* allocate(void* arena, std::size_t bytes) {
    return static_cast<GumboArena*>(arena)->take(bytes);
  }
  static void forget(void* /*arena*/, void* /*memory*/) {}

 private:
  void* take(std::size_t bytes) {
    constexpr std::size_t kBlock = std::size_t{256} << 10, kAlign = alignof(std::max_align_t);
    bytes = (bytes + kAlign - 1) / kAlign * kAlign;
    if (bytes > left_) {
      left_ = std::max(bytes, kBlock);
      blocks_.push_back(std::make_unique<std::byte[]>(left_));
      next_ = blocks_.back().get();
    }
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

// About how deep elements nest at most; Gumbo takes time with the square of it.
int estimated_depth(std::string_view text) {
  int depth = 0, deepest = 0;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    const char next = text[at + 1];
    if ((text[at] == '<' && next == '/') || (text[at] == '/' && next == '>')) {
      depth = std::max(depth - 1, 0);
    } else if (text[at] == '<' && std::isalpha(static_cast<unsigned char>(next)) != 0) {
      deepest = std::max(deepest, ++depth);
    }
  }
  return deepest;
}

XmlTree parse_as_browser(const std::string& bytes, const ReadLimits& limits, std::string_view part) {
  constexpr std::size_t kMaxHtmlBytes = std::size_t{8} << 20;  // its tree takes tens of times that
  constexpr int kUnclosed = 16;  // times deeper than the tree will be, where end tags are left out
  if (bytes.size() > kMaxHtmlBytes || estimated_depth(bytes) > kUnclosed * limits.max_depth) {
    throw FormatError(ReadFailure::Kind::over_limit,
                      "its part '" + std::string(part.substr(0, 80)) + "' is no XML, and too large for HTML");
  }
  const std::string text = cleaned_text(bytes, Spacing::keep);
  GumboArena arena;
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  options.allocator = GumboArena::allocate;
  options.deallocator = GumboArena::forget;
  options.userdata = &arena;
  const GumboOutput* output = gumbo_parse_with_options(&options, text.data(), text.size());
  auto tree = std::make_unique<pugi::xml_document>();
  std::vector<std::pair<const GumboNode*, pugi::xml_node>>
      waiting;  // elements whose children are to be copied
  copy_gumbo_node(output->root, *tree, waiting);
  while (!waiting.empty()) {
    const auto [node, copy] = waiting.back();
    waiting.pop_back();
    for (unsigned index = 0; index < node->v.element.children.length; ++index) {
      copy_gumbo_node(static_cast<const GumboNode*>(node->v.element.children.data[index]), copy, waiting);
    }
  }
  return {std::move(tree), limits, part};
}

}  // namespace

std::string with_named_characters(std::string_view bytes) {
  constexpr std::size_t kMaxName = 8;
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t begin = bytes.find('&');
    out += bytes.substr(0, begin);
    if (begin == std::string_view::npos) {
      break;
    }
    bytes.remove_prefix(begin);
    const std::size_t end = bytes.substr(0, kMaxName + 2).find(';');
    const NamedCharacter* found =
        end == std::string_view::npos ? nullptr : find_named(bytes.substr(1, end - 1));
    if (found != nullptr) {
      put_code_point(out, found->code_point);
      bytes.remove_prefix(end + 1);
    } else {
      out += '&';
      bytes.remove_prefix(1);
    }
  }
  return out;
}

XmlTree parse_xhtml(const std::string& bytes, const ReadLimits& limits, std::string_view part) {
  try {
    return {with_named_characters(bytes), limits, part};
  } catch (const FormatError& error) {
    if (error.kind() != ReadFailure::Kind::damaged) {
      throw;
    }
  }
  return parse_as_browser(bytes, limits, part);
}

}  // namespace parley::retrieval::documents
