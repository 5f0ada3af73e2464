#pragma once
// JSON Schemas that must all hold at one place, with references and allOf followed. Plain values and
// functions; borrow the schemas. Never fails.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/grammar/schema_index.h"
#include "inference/grammar/schema_options.h"
#include "inference/json/json.h"

namespace parley::inference::grammar {

struct SchemaPart {
  const json::JsonValue* schema = nullptr;
  // Only the keywords that speak of the value itself: references and combinations have been dealt with.
  bool is_bare = false;
  std::string place;
};
using SchemaParts = std::vector<SchemaPart>;

// What tells a set of parts from another.
using PartsKey = std::vector<std::pair<const json::JsonValue*, bool>>;
PartsKey key_of(const SchemaParts& parts);

struct FlatSchema {
  bool is_never = false;
  SchemaParts parts;                // bare, all objects
  std::vector<SchemaParts> groups;  // of each one branch has to hold
};

class UncheckedList {
 public:
  void add(const SchemaPart& part, std::string_view keyword, std::string_view reason);
  std::vector<UncheckedKeyword> take() { return std::move(list_); }

 private:
  std::vector<UncheckedKeyword> list_;
};

FlatSchema flatten(const SchemaParts& parts, const SchemaIndex& index, UncheckedList& unchecked);

// A part of `part`, at `pointer` below it.
SchemaPart part_below(const SchemaPart& part, std::string_view pointer, const json::JsonValue& schema);

// The member of a bare part's object, or null.
const json::JsonValue* keyword(const SchemaPart& part, std::string_view name);

// The count or length that a keyword gives; nullopt for what is none.
std::optional<std::uint32_t> count_member(const SchemaPart& part, std::string_view name);

}  // namespace parley::inference::grammar
