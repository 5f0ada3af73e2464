#include "retrieval/documents/xml_tree.h"

#include <charconv>
#include <new>
#include <utility>

#include <pugixml.hpp>

#include "retrieval/documents/format_error.h"
#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {
namespace {

constexpr std::size_t kMaxTreeBytes = std::size_t{768} << 20;

// What the tree of these bytes will take at most, but for texts that end with '>'.
std::size_t estimated_tree_bytes(std::string_view bytes) {
  constexpr std::size_t kNodeBytes = 64, kAttributeBytes = 40;
  std::size_t num_nodes = 0, num_attributes = 0;
  char before = '>';
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    const char c = bytes[index];
    if (c == '<') {
      num_nodes += before == '>' ? 0 : 1;  // a text in front of it
      num_nodes += index + 1 < bytes.size() && bytes[index + 1] == '/' ? 0 : 1;
    } else if (c == '=') {
      ++num_attributes;
    }
    before = c;
  }
  return kNodeBytes * num_nodes + kAttributeBytes * num_attributes;
}

std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

// pugixml would turn UTF-16 into UTF-8 itself, but after our look at the bytes.
std::string xml_as_utf8(std::string bytes) {
  const std::string_view view = bytes;
  if (view.starts_with("\xFF\xFE") || view.starts_with(std::string_view("<\0", 2))) {
    return utf8_from_utf16(view.substr(view.front() == '<' ? 0 : 2), ByteOrder::little);
  }
  if (view.starts_with("\xFE\xFF") || view.starts_with(std::string_view("\0<", 2))) {
    return utf8_from_utf16(view.substr(view.front() == '\0' ? 0 : 2), ByteOrder::big);
  }
  return bytes;
}

}  // namespace

bool XmlNode::is_text() const {
  const pugi::xml_node_type type = pugi::xml_node(node_).type();
  return type == pugi::node_pcdata || type == pugi::node_cdata;
}

std::string_view XmlNode::name() const { return local_name(pugi::xml_node(node_).name()); }

std::string_view XmlNode::text() const { return pugi::xml_node(node_).value(); }

std::string_view XmlNode::attribute(std::string_view name) const {
  const std::string_view wanted = local_name(name);
  std::string_view found;
  bool has_found = false;
  for (const pugi::xml_attribute& attribute : pugi::xml_node(node_).attributes()) {
    const std::string_view full = attribute.name();
    if (full == name) {
      return attribute.value();
    }
    if (!has_found && full.size() > wanted.size() && local_name(full) == wanted) {
      found = attribute.value();
      has_found = true;
    }
  }
  return found;
}

int XmlNode::attribute_int(std::string_view name, int otherwise) const {
  const std::string_view value = attribute(name);
  int number = otherwise;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() ? number : otherwise;
}

XmlNode XmlNode::parent() const { return XmlNode(pugi::xml_node(node_).parent().internal_object()); }
XmlNode XmlNode::first_child() const {
  return XmlNode(pugi::xml_node(node_).first_child().internal_object());
}
XmlNode XmlNode::next() const { return XmlNode(pugi::xml_node(node_).next_sibling().internal_object()); }

XmlNode XmlNode::child(std::string_view name) const {
  for (const XmlNode node : *this) {
    if (node.name() == name) {
      return node;
    }
  }
  return {};
}

XmlNode XmlNode::following(XmlNode top) const {
  if (const XmlNode below = first_child()) {
    return below;
  }
  for (XmlNode node = *this; node && node != top; node = node.parent()) {
    if (const XmlNode sibling = node.next()) {
      return sibling;
    }
  }
  return {};
}

XmlNode XmlNode::find(std::string_view name) const {
  for (XmlNode node = following(*this); node; node = node.following(*this)) {
    if (node.name() == name) {
      return node;
    }
  }
  return {};
}

std::string XmlNode::all_text() const {
  std::string out;
  for (XmlNode node = following(*this); node; node = node.following(*this)) {
    out += node.text();
  }
  return out;
}

XmlTree::XmlTree(std::string bytes, const ReadLimits& limits, std::string_view part)
    : tree_(std::make_unique<pugi::xml_document>()) {
  const std::string shown = "part '" + std::string(part.substr(0, 80)) + "'";
  const bool is_utf16 =
      bytes.size() > 1 && (bytes[0] == '\0' || bytes[1] == '\0' || bytes[0] == '\xFF' || bytes[0] == '\xFE');
  bytes_ = std::make_unique<std::string>(xml_as_utf8(std::move(bytes)));
  if (estimated_tree_bytes(*bytes_) > kMaxTreeBytes) {
    throw FormatError(ReadFailure::Kind::over_limit, "its " + shown + " has too many elements");
  }
  // The declaration of what was UTF-16 names an encoding that it no longer has.
  const auto encoding = is_utf16 ? pugi::encoding_utf8 : pugi::encoding_auto;
  const pugi::xml_parse_result result = tree_->load_buffer_inplace(
      bytes_->data(), bytes_->size(), pugi::parse_default | pugi::parse_ws_pcdata, encoding);
  if (result.status == pugi::status_out_of_memory) {
    throw std::bad_alloc();
  }
  if (!result || !root()) {
    throw FormatError(ReadFailure::Kind::damaged,
                      "its " + shown + " is no well-formed XML (" + result.description() + ")");
  }
  check_depth(limits, part);
}

XmlTree::XmlTree(std::unique_ptr<pugi::xml_document> tree, const ReadLimits& limits, std::string_view part)
    : tree_(std::move(tree)) {
  check_depth(limits, part);
}

XmlTree::~XmlTree() = default;
XmlTree::XmlTree(XmlTree&&) noexcept = default;
XmlTree& XmlTree::operator=(XmlTree&&) noexcept = default;

XmlNode XmlTree::root() const { return XmlNode(tree_->document_element().internal_object()); }

void XmlTree::check_depth(const ReadLimits& limits, std::string_view part) const {
  int depth = 1;
  for (pugi::xml_node node = tree_->document_element(); node;) {
    if (depth > limits.max_depth) {
      throw FormatError(ReadFailure::Kind::over_limit, "its part '" + std::string(part.substr(0, 80)) +
                                                           "' nests elements deeper than " +
                                                           std::to_string(limits.max_depth));
    }
    if (node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (node && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    node = node.next_sibling();
  }
}

}  // namespace parley::retrieval::documents
