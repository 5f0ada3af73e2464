#include "inference/grammar/schema_index.h"

#include <algorithm>
#include <utility>

#include <boost/json/string.hpp>

namespace parley::inference::grammar {
namespace {

using json::JsonObject;
using json::JsonValue;

std::string_view string_member(const JsonObject& object, std::string_view key) {
  const JsonValue* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

std::string unescape_uri(std::string_view text) {
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    out += is_escape ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (is_escape) i += 2;
  }
  return out;
}

std::string unescape_pointer(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '~' && i + 1 < text.size();
    out += !is_escape ? text[i] : text[i + 1] == '1' ? '/' : '~';
    if (is_escape) ++i;
  }
  return out;
}

const JsonValue* step_into(const JsonValue& value, const std::string& name) {
  if (const JsonObject* object = value.if_object()) return object->if_contains(name);
  const json::JsonArray* array = value.if_array();
  if (array == nullptr || name.empty() || name.size() > 6) return nullptr;
  std::size_t index = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return nullptr;
    index = index * 10 + static_cast<std::size_t>(c - '0');
  }
  return array->if_contains(index);
}

const JsonValue* find_pointer(const JsonValue& root, std::string_view pointer) {
  const JsonValue* value = &root;
  while (value != nullptr && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    value = step_into(*value, unescape_pointer(pointer.substr(0, end)));
    pointer.remove_prefix(end);
  }
  return value;
}

// RFC 3986, 5.2, as far as schemas use it.
std::string resolve_uri(std::string_view base, std::string_view reference) {
  const std::size_t scheme = reference.find(':');
  if (scheme != std::string_view::npos && scheme < reference.find('/')) return std::string(reference);
  const std::size_t authority = base.find("://");
  const std::size_t path = authority == std::string_view::npos ? 0 : base.find('/', authority + 3);
  if (reference.starts_with('/')) return std::string(base.substr(0, path)) + std::string(reference);
  const std::size_t last = base.rfind('/');
  const bool has_path = last != std::string_view::npos && path != std::string_view::npos && last >= path;
  return std::string(has_path ? base.substr(0, last + 1) : std::string_view()) + std::string(reference);
}

bool holds_schemas(std::string_view key) {
  return key != "enum" && key != "const" && key != "default" && key != "examples";
}

}  // namespace

SchemaIndex::SchemaIndex(const JsonValue& root) : root_(root) {
  if (const JsonObject* object = root.if_object()) {
    const std::string_view draft = string_member(*object, "$schema");
    for (const std::string_view old : {"draft-03", "draft-04", "draft-06", "draft-07"}) {
      is_legacy_ = is_legacy_ || draft.find(old) != std::string_view::npos;
    }
  }
  walk(root, &uris_.emplace_back());
}

void SchemaIndex::walk(const JsonValue& value, Uri base) {
  if (const json::JsonArray* array = value.if_array()) {
    for (const JsonValue& item : *array) walk(item, base);
    return;
  }
  const JsonObject* object = value.if_object();
  if (object == nullptr) return;
  const std::string_view id = string_member(*object, "$id");
  const bool has_siblings_ignored = is_legacy_ && object->contains("$ref");
  if (id.starts_with('#')) {
    anchors_.emplace(std::pair(base, std::string(id.substr(1))), &value);
  } else if (!id.empty() && !has_siblings_ignored) {
    std::string uri = resolve_uri(*base, id);
    if (uri.ends_with('#')) uri.pop_back();
    const auto [found, is_new] = by_uri_.try_emplace(uri, &value, nullptr);
    if (is_new) found->second.second = &uris_.emplace_back(std::move(uri));
    base = found->second.second;
  }
  for (const std::string_view keyword : {"$anchor", "$dynamicAnchor"}) {
    const std::string_view anchor = string_member(*object, keyword);
    if (!anchor.empty()) anchors_.emplace(std::pair(base, std::string(anchor)), &value);
  }
  if (!base->empty()) bases_[object] = base;
  for (const auto& member : *object) {
    if (holds_schemas(member.key())) walk(member.value(), base);
  }
}

const JsonValue* SchemaIndex::resolve(const JsonObject& from, std::string_view reference) const {
  const auto home = bases_.find(&from);
  const std::string base = home == bases_.end() ? "" : *home->second;
  const std::size_t hash = std::min(reference.find('#'), reference.size());
  const std::string uri = hash == 0 ? base : resolve_uri(base, reference.substr(0, hash));
  const std::string fragment = unescape_uri(hash < reference.size() ? reference.substr(hash + 1) : "");
  const auto document = by_uri_.find(uri);
  const bool is_known = document != by_uri_.end();
  if (!is_known && !uri.empty()) return nullptr;
  const JsonValue* root = is_known ? document->second.first : &root_;
  if (fragment.empty() || fragment.starts_with('/')) return find_pointer(*root, fragment);
  const Uri resource = is_known ? document->second.second : &uris_.front();
  if (const auto anchor = anchors_.find({resource, fragment}); anchor != anchors_.end())
    return anchor->second;
  const auto whole = by_uri_.find(uri + "#" + fragment);  // an $id with a fragment
  return whole == by_uri_.end() ? nullptr : whole->second.first;
}

}  // namespace parley::inference::grammar
