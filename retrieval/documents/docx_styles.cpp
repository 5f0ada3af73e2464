#include "retrieval/documents/docx_styles.h"

#include <algorithm>
#include <cctype>

namespace parley::retrieval::documents {
namespace {

constexpr int kMaxInheritance = 32;  // styles may be based on each other in a circle
constexpr int kMaxLevel = 9;

std::string lower_ascii(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// Built-in styles have the same English names in every language's files.
void apply_style_name(const std::string& name, DocxParagraphStyle& style) {
  constexpr std::string_view kHeading = "heading ";
  if (name.starts_with(kHeading) && name.size() > kHeading.size() &&
      std::isdigit(name[kHeading.size()]) != 0) {
    style.heading_level = std::clamp(name[kHeading.size()] - '0', 1, kMaxLevel);
  } else if (name == "title") {
    style.heading_level = 1;
    style.is_title = true;
  } else if (name.starts_with("toc ") || name == "table of figures") {
    style.is_contents = true;
  } else if (name.find("quote") != std::string::npos || name == "block text") {
    style.is_quote = true;
  } else if (name.find("code") != std::string::npos || name.find("preformatted") != std::string::npos ||
             name == "plain text" || name == "macro") {
    style.is_code = true;
  } else if (name.starts_with("list ") && name != "list paragraph") {
    style.list_level = std::isdigit(static_cast<unsigned char>(name.back())) != 0 ? name.back() - '0' : 1;
  }
}

void apply_properties(XmlNode properties, DocxParagraphStyle& style) {
  if (const XmlNode outline = properties.child("outlineLvl")) {
    const int level = outline.attribute_int("val", kMaxLevel);
    style.heading_level = level >= 0 && level < kMaxLevel ? level + 1 : 0;
  }
  if (const XmlNode list = properties.child("numPr")) {
    const XmlNode id = list.child("numId");
    const bool is_off = id && id.attribute_int("val", 0) == 0;
    const int level = std::clamp(list.child("ilvl").attribute_int("val", 0), 0, kMaxLevel - 1);
    style.list_level = is_off ? 0 : level + 1;
  }
}

}  // namespace

DocxStyles::DocxStyles(XmlNode styles) {
  std::map<std::string, Entry, std::less<>> entries;
  for (const XmlNode node : styles) {
    if (node.name() != "style" || node.attribute("type") != "paragraph") {
      continue;
    }
    Entry entry;
    entry.properties = node.child("pPr");
    entry.name = lower_ascii(node.child("name").attribute("val"));
    entry.based_on = node.child("basedOn").attribute("val");
    const std::string id(node.attribute("styleId"));
    if (node.attribute("default") == "1") {
      default_id_ = id;
    }
    entries.emplace(id, std::move(entry));
  }
  for (const auto& [id, entry] : entries) {
    styles_.emplace(id, resolve(entries, id));
  }
}

DocxParagraphStyle DocxStyles::resolve(const std::map<std::string, Entry, std::less<>>& entries,
                                       std::string_view id) {
  const Entry* chain[kMaxInheritance];
  int length = 0;
  for (auto found = entries.find(id); found != entries.end() && length < kMaxInheritance;
       found = entries.find(found->second.based_on)) {
    chain[length++] = &found->second;
  }
  DocxParagraphStyle style;
  while (length > 0) {
    const Entry& entry = *chain[--length];
    apply_style_name(entry.name, style);
    apply_properties(entry.properties, style);
  }
  return style;
}

DocxParagraphStyle DocxStyles::find(std::string_view style_id) const {
  const auto found = styles_.find(style_id);
  return found == styles_.end() ? DocxParagraphStyle() : found->second;
}

DocxParagraphStyle DocxStyles::of_paragraph(XmlNode properties) const {
  const XmlNode named = properties.child("pStyle");
  DocxParagraphStyle style = find(named ? named.attribute("val") : std::string_view(default_id_));
  apply_properties(properties, style);
  return style;
}

}  // namespace parley::retrieval::documents
