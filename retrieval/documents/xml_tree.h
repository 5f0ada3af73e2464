#pragma once
// XML as a tree, names without their prefixes. No DTD is read and no entity of a document's own is expanded;
// memory is bounded before parsing and depth before anyone recurses over the tree.
//
// One thread. Throws FormatError: damaged, or over_limit.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "retrieval/documents/document_reader.h"

namespace pugi {
struct xml_node_struct;
class xml_document;
}  // namespace pugi

namespace parley::retrieval::documents {

// An element or a text node; a value that borrows its tree. A null node has no name, children or attributes.
class XmlNode {
 public:
  XmlNode() = default;
  explicit XmlNode(pugi::xml_node_struct* node) : node_(node) {}

  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const XmlNode&) const = default;
  bool is_text() const;
  std::string_view name() const;  // "p" of "w:p"; empty for text
  std::string_view text() const;  // of a text node alone
  // "val": that one, else one with any prefix. "r:id": that one, else "id" with another prefix. Or empty.
  std::string_view attribute(std::string_view name) const;
  int attribute_int(std::string_view name, int otherwise) const;
  XmlNode parent() const;
  XmlNode first_child() const;
  XmlNode next() const;  // sibling
  XmlNode child(std::string_view name) const;
  // The first element of this name below this one, at any depth; null: none.
  XmlNode find(std::string_view name) const;
  std::string all_text() const;  // of all text nodes below

  class Iterator {
   public:
    explicit Iterator(pugi::xml_node_struct* node) : node_(node) {}
    XmlNode operator*() const { return XmlNode(node_); }
    Iterator& operator++() {
      node_ = XmlNode(node_).next().node_;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    pugi::xml_node_struct* node_;
  };
  Iterator begin() const { return Iterator(first_child().node_); }
  Iterator end() const { return Iterator(nullptr); }

 private:
  XmlNode following(XmlNode top) const;  // in document order, inside `top`

  pugi::xml_node_struct* node_ = nullptr;
};

class XmlTree {
 public:
  // `part` names it in messages.
  XmlTree(std::string bytes, const ReadLimits& limits, std::string_view part);
  // Takes a tree made by other means; checks its depth.
  XmlTree(std::unique_ptr<pugi::xml_document> tree, const ReadLimits& limits, std::string_view part);
  ~XmlTree();
  XmlTree(XmlTree&&) noexcept;
  XmlTree& operator=(XmlTree&&) noexcept;

  XmlNode root() const;  // the outermost element

 private:
  void check_depth(const ReadLimits& limits, std::string_view part) const;

  std::unique_ptr<std::string> bytes_;  // the tree's names and texts point into it
  std::unique_ptr<pugi::xml_document> tree_;
};

}  // namespace parley::retrieval::documents
