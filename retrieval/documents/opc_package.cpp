#include "retrieval/documents/opc_package.h"

#include <vector>

#include "retrieval/documents/format_error.h"

namespace parley::retrieval::documents {
namespace {

// Office files before 2007 and encrypted ones since are OLE containers.
std::string_view zip_not_ole(std::string_view bytes) {
  constexpr std::string_view kOle = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
  constexpr std::string_view kEncryptedPackage("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0", 32);
  if (!bytes.starts_with(kOle)) {
    return bytes;
  }
  if (bytes.find(kEncryptedPackage) != std::string_view::npos) {
    throw FormatError(ReadFailure::Kind::encrypted, "it is protected by a password");
  }
  throw FormatError(ReadFailure::Kind::unsupported,
                    "it has the binary Office format of before 2007; save it in today's format");
}

std::string relationships_part(std::string_view part) {
  const std::size_t slash = part.rfind('/');
  const std::string_view folder = slash == std::string_view::npos ? "" : part.substr(0, slash + 1);
  return std::string(folder) + "_rels/" + std::string(part.substr(folder.size())) + ".rels";
}

}  // namespace

OpcPackage::OpcPackage(std::string_view bytes, const ReadLimits& limits)
    : limits_(limits), zip_(zip_not_ole(bytes), limits) {}

std::string OpcPackage::main_part(std::string_view usual) {
  std::string named = target_of_type(relationships(""), "officeDocument");
  if (zip_.contains(named)) {
    return named;
  }
  if (!zip_.contains(usual)) {
    throw FormatError(ReadFailure::Kind::damaged, "its part '" + std::string(usual) + "' is missing");
  }
  return std::string(usual);
}

std::map<std::string, Relationship> OpcPackage::relationships(std::string_view part) {
  std::map<std::string, Relationship> found;
  const std::string name = relationships_part(part);
  if (!zip_.contains(name)) {
    return found;
  }
  const XmlTree tree = read_xml(name);
  for (const XmlNode node : tree.root()) {
    if (node.name() != "Relationship" || node.attribute("TargetMode") == "External") {
      continue;
    }
    const std::string_view type = node.attribute("Type");
    Relationship relationship;
    relationship.type = type.substr(type.rfind('/') + 1);
    relationship.target = resolve_part(part, node.attribute("Target"));
    found.emplace(node.attribute("Id"), std::move(relationship));
  }
  return found;
}

std::string OpcPackage::title() {
  std::string part = target_of_type(relationships(""), "core-properties");
  if (!zip_.contains(part)) {
    part = "docProps/core.xml";
  }
  return zip_.contains(part) ? read_xml(part).root().child("title").all_text() : "";
}

std::string target_of_type(const std::map<std::string, Relationship>& relationships, std::string_view type) {
  for (const auto& [id, relationship] : relationships) {
    if (relationship.type == type) {
      return relationship.target;
    }
  }
  return "";
}

std::string resolve_part(std::string_view base_part, std::string_view target) {
  std::vector<std::string_view> steps;
  const auto walk = [&](std::string_view path) {
    while (!path.empty()) {
      const std::size_t slash = path.find('/');
      const std::string_view step = path.substr(0, slash);
      path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
      if (step == "..") {
        if (!steps.empty()) {
          steps.pop_back();
        }
      } else if (!step.empty() && step != ".") {
        steps.push_back(step);
      }
    }
  };
  if (!target.starts_with('/')) {
    const std::size_t slash = base_part.rfind('/');
    walk(slash == std::string_view::npos ? "" : base_part.substr(0, slash));
  }
  walk(target);
  std::string resolved;
  for (const std::string_view step : steps) {
    resolved += (resolved.empty() ? "" : "/") + std::string(step);
  }
  return resolved;
}

}  // namespace parley::retrieval::documents
