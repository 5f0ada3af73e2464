#pragma once
// Where the references of a JSON Schema lead: inside the same document, by pointer, $id or $anchor. Never
// outside: nothing is fetched. Borrows the schema; immutable after construction, any thread. Never fails.

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "inference/json/json.h"

namespace parley::inference::grammar {

class SchemaIndex {
 public:
  explicit SchemaIndex(const json::JsonValue& root);

  // Null: there is nothing, or it is in another document. `from` is the schema that has the reference.
  const json::JsonValue* resolve(const json::JsonObject& from, std::string_view reference) const;

  // Draft 7 and earlier: keywords beside $ref do not count.
  bool is_legacy() const { return is_legacy_; }

 private:
  using Uri = const std::string*;  // of a resource, in which there may be many schemas and anchors

  void walk(const json::JsonValue& value, Uri base);

  bool is_legacy_ = false;
  const json::JsonValue& root_;
  std::map<std::string, std::pair<const json::JsonValue*, Uri>, std::less<>> by_uri_;
  std::deque<std::string> uris_;
  std::map<std::pair<Uri, std::string>, const json::JsonValue*> anchors_;
  // The URI of the resource that a schema is in, where there is one.
  std::map<const json::JsonObject*, Uri> bases_;
};

}  // namespace parley::inference::grammar
